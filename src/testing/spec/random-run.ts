// One random run of a machine: its events, then calm, then its end; and what was wrong with it.
import {
  type AnyActorLogic,
  type AnyActorRef,
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type AnyStateNode,
  createActor,
  type InspectionEvent,
} from 'xstate'
import type { Spec } from '../../machines/index.ts'
import { composeAlone } from '../../services/runtime/index.ts'
import { createVirtualClock, type VirtualClock } from '../virtual-clock.ts'
import { randomPort, renewed, type Run } from './random-ports.ts'
import { allNodes, reportedEvents } from './samples.ts'
import type { OpenStep, Sequence, SequenceStep } from './sequence.ts'

/** Longer than the slowest response and the pause after it. */
const OLD_RESPONSES = 100_000
/** Longer than every pause, deadline and timeout of most machines, in milliseconds. */
const SETTLE_TIME = 900_000

/** Changes a machine before it runs, for example to see whether a defect is noticed. */
export type Change = (machine: AnyStateMachine) => AnyStateMachine

/** The machine with random ports, and its children with theirs. */
function withRandomPorts(spec: Spec, run: Run): AnyStateMachine {
  const names = new Set([...Object.keys(spec.ports), ...Object.keys(spec.children)])
  for (const { path, invoke } of allNodes(spec.machine.root))
    for (const { id, src } of invoke)
      if (!names.has(src as string))
        throw new TypeError(
          `${spec.machine.id} runs ${id} in “${path.join('.')}”, which random runs must replace: name it in setup({ actors }), and add it to \`ports\` or \`children\` of the specification.`,
        )
  const ports = Object.keys(spec.ports).map(name => [name, randomPort(run, spec, name)] as const)
  const children = Object.entries(spec.children).map(
    ([name, child]) => [name, withRandomPorts(child.spec, run)] as const,
  )
  return spec.machine.provide({
    actors: Object.fromEntries<AnyActorLogic>([...ports, ...children]),
  } as object)
}

/** The machine below a parent, which forwards events to it. */
export function composeRandom(spec: Spec, run: Run, change: Change = machine => machine): AnyStateMachine {
  return composeAlone(change(withRandomPorts(spec, run)))
}

/** What a run found. */
export interface RunResult {
  /** What was wrong; empty if nothing was. */
  readonly findings: readonly string[]
  /** The steps, with the events that were sent. */
  readonly sequence: Sequence
  /** The states that the machine was in. */
  readonly visited: ReadonlySet<AnyStateNode>
}

/** Composes the machine once; the returned function runs a sequence. */
export function randomRunner(
  spec: Spec,
  { change, settleTime = SETTLE_TIME }: { readonly change?: Change; readonly settleTime?: number } = {},
): (sequence: Sequence<OpenStep>) => RunResult {
  const run: Run = { clock: createVirtualClock(), isCalm: false, seed: 0, count: 0 }
  const machine = composeRandom(spec, run, change)
  const reported = reportedEvents(spec)
  const samples = spec.randomEvents.flatMap(type => reported[type] ?? [])
  return ({ steps, seed }) => {
    const clock = createVirtualClock()
    Object.assign(run, { clock, isCalm: false, seed, count: 0 } satisfies Run)
    const awaited: string[] = []
    const settled: string[] = []
    const failures: unknown[] = []
    const visited = new Set<AnyStateNode>()
    let child: AnyActorRef | undefined
    const note = (event: AnyEventObject) => {
      const id = spec.settles?.(event)
      if (id !== undefined) settled.push(id)
    }
    const visit = (snapshot: AnyMachineSnapshot) => {
      for (const node of snapshot._nodes as AnyStateNode[]) visited.add(node)
    }
    const inspect = (event: InspectionEvent) => {
      if (event.type === '@xstate.event' && event.actorRef === actor) note(event.event)
      if (
        (event.type === '@xstate.snapshot' || event.type === '@xstate.microstep') &&
        event.actorRef === child
      )
        visit(event.snapshot as AnyMachineSnapshot)
      // What has no parent to notify, and what notifies the app, emits.
      if (event.type === '@xstate.actor') {
        const started = event.actorRef as AnyActorRef
        started.on('*', note)
        // It may end within its start.
        if (started.id === 'machine' && !child) {
          child = started
          started.subscribe({ error: (error: unknown) => failures.push(error) })
        }
      }
    }
    const actor = createActor(machine, { clock, input: spec.randomInput, inspect })
    actor.subscribe({ error: error => failures.push(error) })
    actor.start()
    const current = () => child?.getSnapshot() as AnyMachineSnapshot
    const tell = (event: AnyEventObject) => {
      if (actor.getSnapshot().status !== 'active') return
      const id = spec.awaits?.(event)
      if (id !== undefined) awaited.push(id)
      actor.send({ type: 'alone.tell', event })
    }
    const closed: SequenceStep[] = []
    const choose = (step: OpenStep): SequenceStep | undefined => {
      if (step[0] !== 'next') return step
      const handled = samples.filter(event => canHandle(current(), event.type))
      const event = handled[step[1] % handled.length]
      return event && ['tell', event]
    }
    const nextSteps = function* () {
      for (const step of steps) {
        const next = choose(step)
        if (next) closed.push(next)
        if (next) yield next
      }
    }
    play({ spec, steps: nextSteps(), run, clock, tell, settleTime })
    const snapshot = current()
    visit(snapshot)
    const findings = [
      ...[...new Set(failures)].map(failure => `it failed: ${String(failure)}`),
      ...(failures.length > 0 || spec.rests(snapshot) ? [] : [`calm left it in ${whereIs(snapshot)}`]),
      ...unsettled(awaited, settled),
    ]
    actor.stop()
    const timers = clock.pending()
    return {
      findings: timers === 0 ? findings : [...findings, `${timers} timers outlived it`],
      sequence: { steps: closed, seed },
      visited,
    }
  }
}

const canHandle = (snapshot: AnyMachineSnapshot, type: string) =>
  snapshot.status === 'active' &&
  (snapshot._nodes as AnyStateNode[]).some(node => (node.ownEvents as readonly string[]).includes(type))

/** Its state, and what it still runs. */
function whereIs({ value, children }: AnyMachineSnapshot): string {
  const running = Object.entries(children as Record<string, AnyActorRef | undefined>)
    .filter(
      ([, child]) => (child?.getSnapshot() as { readonly status: string } | undefined)?.status === 'active',
    )
    .map(([id]) => id)
  return `${JSON.stringify(value)}${running.length === 0 ? '' : `, where it runs ${running.join(', ')}`}`
}

interface Play {
  readonly spec: Spec
  readonly steps: Iterable<SequenceStep>
  readonly run: Run
  readonly clock: VirtualClock
  readonly tell: (event: AnyEventObject) => void
  /** Milliseconds that pass at the end. */
  readonly settleTime?: number
}

/** The events of a sequence, and then the calm. */
export function play({ spec, steps, run, clock, tell, settleTime = SETTLE_TIME }: Play): void {
  for (const [kind, what] of steps) {
    if (kind === 'tell') tell(renewed(run, spec, what))
    else clock.advance(what)
  }
  run.isCalm = true
  // What earlier ports respond is handled first.
  clock.advance(OLD_RESPONSES)
  for (const event of spec.settling) tell(renewed(run, spec, event))
  clock.advance(settleTime)
}

function unsettled(awaited: readonly string[], settled: readonly string[]): string[] {
  return awaited.flatMap(id => {
    const times = settled.filter(other => other === id).length
    return times === 1 ? [] : [`${id} was settled ${times} times`]
  })
}
