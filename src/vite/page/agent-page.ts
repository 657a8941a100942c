// The page's side of the link with agents: answers questions about its systems, and controls them.
import type { Fault, FaultKind } from '../../services/control/index.ts'
import type { ConsoleSystem, Systems } from '../../ui/console/attach/systems.ts'
import { AGENT_ANSWER, AGENT_ASK, type AgentAnswer } from '../agent-messages.ts'

/** Vite's channel of a module. */
export interface HotChannel {
  readonly on: (event: string, listener: (data: Question) => void) => void
  readonly send: (event: string, data: AgentAnswer) => void
}

interface Question {
  readonly ask: number
  readonly do: string
  readonly page?: string
  readonly system?: number
  readonly to?: string
  readonly event?: { readonly type: string }
  readonly fault?: Fault
  readonly kind?: FaultKind
  readonly speed?: number
}

/** Answers the questions of agents until the page is left. */
export function answerAgents(systems: Systems, hot: HotChannel): void {
  const page = Math.random().toString(36).slice(2, 8)
  hot.on(AGENT_ASK, question => {
    const { ask } = question
    if (question.do === 'list') return hot.send(AGENT_ANSWER, { ask, result: listed(systems, page) })
    if (question.page !== page) return
    answerOf(systems, question).then(
      result => hot.send(AGENT_ANSWER, { ask, result }),
      (error: unknown) =>
        hot.send(AGENT_ANSWER, { ask, failure: error instanceof Error ? error.message : String(error) }),
    )
  })
}

const listed = (systems: Systems, page: string) =>
  systems
    .entries()
    .map(entry => ({ ...entry, page, canControl: systems.system(entry.id)?.control !== undefined }))

async function answerOf(systems: Systems, question: Question): Promise<unknown> {
  const system = systems.system(question.system ?? -1)
  if (!system) throw new Error('The system has ended. List the apps again.')
  if (question.do === 'recording') return base64(await system.recording.download())
  return control(system, question)
}

async function control(system: ConsoleSystem, question: Question): Promise<unknown> {
  if (!system.control) throw new Error('This app sets its own clock, so that it cannot be controlled.')
  const opened = await system.control.open()
  const { to = '', event, fault, kind, speed = 1 } = question
  switch (question.do) {
    case 'send': {
      const path = to === '' ? (opened.actors()[0]?.path ?? '') : to
      if (event && opened.send(path, event)) return opened.state().hold ? 'paused' : 'running'
      throw new Error(`There is no actor ${path}. Use "state" for the actors.`)
    }
    case 'pause':
      return opened.hold()
    case 'resume':
      return opened.release()
    case 'step':
      return opened.step() ? 'one event was let through' : 'no event waits'
    case 'fault':
      return fault && opened.faults.set(fault)
    case 'clear':
      return opened.faults.clear(kind)
    case 'speed':
      return opened.time.setSpeed(speed)
    case 'real-time':
      return opened.time.toReal()
    case 'deadline':
      return opened.time.toNextDeadline() ? 'the next timer fired' : 'no timer is set'
    default:
      throw new Error(`Unknown command ${question.do}.`)
  }
}

async function base64(blob: Blob): Promise<string> {
  const data = new Uint8Array(await blob.arrayBuffer())
  return btoa(Array.from(data, byte => String.fromCharCode(byte)).join(''))
}
