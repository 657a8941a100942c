// Extracts requests, sockets and faults from the steps of Chartroom's own ports.
import type { ActorEntry, StepRecord } from '../format/records.ts'
import { fieldOf, textOf } from '../exports/run-text.ts'
import type { WireNote } from './block.ts'

const ANSWERS: ReadonlySet<string> = new Set(['send.answered', 'send.failed', 'port.broken', 'socket.opened'])

/** Returns the note of a step; most steps have none. */
export function wireNote(
  step: StepRecord,
  isFirst: boolean,
  actors: readonly ActorEntry[],
): WireNote | undefined {
  const src = isFirst ? actors[step.actor]?.src : undefined
  if (src === 'request' || src === 'send' || src === 'socket') return beginning(step, src)
  if (step.from === undefined) return undefined
  const size = fieldOf(step.event, 'bytes')
  const bytes = typeof size === 'number' ? { bytes: size } : {}
  if (step.event.type === 'body.ended') return { actor: step.from, seq: step.seq, kind: 'body', ...bytes }
  if (!ANSWERS.has(step.event.type)) return undefined
  const status = step.event.type === 'socket.opened' ? 101 : fieldOf(step.event, 'status')
  const failure = textOf(fieldOf(step.event, 'failure', 'message'))
  return {
    actor: step.from,
    seq: step.seq,
    kind: 'answer',
    ...(typeof status === 'number' && { status }),
    ...(failure !== undefined && { failure }),
    ...bytes,
  }
}

function beginning({ actor, seq, event }: StepRecord, src: 'request' | 'send' | 'socket'): WireNote {
  const base = { actor, seq }
  if (src === 'socket') return { ...base, kind: 'socket', method: 'GET', path: '/realtime/v1/websocket' }
  if (src === 'send') {
    const attempt = fieldOf(event, 'input', 'attempt')
    return { ...base, kind: 'attempt', ...(typeof attempt === 'number' && { attempt }) }
  }
  const info = fieldOf(event, 'input', 'info')
  const [method = 'GET', path = '/'] = [textOf(fieldOf(info, 'method')), textOf(fieldOf(info, 'path'))]
  return { ...base, kind: 'request', method, path }
}

/** Id of the injected fault, if the event names one. */
export function faultOf(event: StepRecord['event']): string | undefined {
  return textOf(event['faultId']) ?? textOf(fieldOf(event['failure'], 'faultId'))
}

/** Whether an event is named after a failure. */
export const isFailure = (type: string): boolean =>
  /fail|error|denied|reject|timeout|timedOut|lost/i.test(type)
