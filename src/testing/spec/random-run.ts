// One random run of a machine: its events, then calm, then its end; and what was wrong with it.
import {
  type AnyActorLogic,
  type AnyActorRef,
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  createActor,
  type InspectionEvent,
} from 'xstate'
import type { Spec } from '../../machines/index.ts'
import { composeAlone } from '../../services/workbench/systems/index.ts'
import { createVirtualClock, type VirtualClock } from '../virtual-clock.ts'
import { randomPort, renewed, type Run } from './random-ports.ts'
import type { Sequence } from './sequences.ts'

/** Longer than the slowest response and the pause after it. */
const OLD_RESPONSES = 100_000
/** Longer than every pause, deadline and timeout of a machine. */
const SETTLE_TIME = 900_000

/** Changes a machine before it runs, for example to see whether a defect is noticed. */
export type Change = (machine: AnyStateMachine) => AnyStateMachine

/** The machine with random ports, and its children with theirs. */
function withRandomPorts(spec: Spec, run: Run): AnyStateMachine {
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

/** Composes the machine once; the returned function runs a sequence, and returns what was wrong. */
export function randomRunner(spec: Spec, change?: Change): (sequence: Sequence) => string[] {
  const run: Run = { clock: createVirtualClock(), isCalm: false, seed: 0, count: 0 }
  const machine = composeRandom(spec, run, change)
  return sequence => {
    const clock = createVirtualClock()
    Object.assign(run, { clock, isCalm: false, seed: sequence.seed, count: 0 } satisfies Run)
    const awaited: string[] = []
    const settled: string[] = []
    const failures: unknown[] = []
    let child: AnyActorRef | undefined
    const note = (event: AnyEventObject) => {
      const id = spec.settles?.(event)
      if (id !== undefined) settled.push(id)
    }
    const inspect = (event: InspectionEvent) => {
      if (event.type === '@xstate.event' && event.actorRef === actor) note(event.event)
      // What has no parent to notify, and what notifies the app, emits.
      if (event.type === '@xstate.actor') {
        const started = event.actorRef as AnyActorRef
        started.on('*', note)
        // It may end within its start.
        if (started.id === 'machine') {
          child ??= started
          started.subscribe({ error: (error: unknown) => failures.push(error) })
        }
      }
    }
    const actor = createActor(machine, { clock, input: spec.randomInput, inspect })
    actor.subscribe({ error: error => failures.push(error) })
    actor.start()
    const tell = (event: AnyEventObject) => {
      if (actor.getSnapshot().status !== 'active') return
      const id = spec.awaits?.(event)
      if (id !== undefined) awaited.push(id)
      actor.send({ type: 'alone.tell', event })
    }
    play({ spec, sequence, run, clock, tell })
    const snapshot = child?.getSnapshot() as AnyMachineSnapshot | undefined
    const findings = [
      ...[...new Set(failures)].map(failure => `it failed: ${String(failure)}`),
      ...(snapshot && spec.rests(snapshot) ? [] : [`calm left it in ${JSON.stringify(snapshot?.value)}`]),
      ...unsettled(awaited, settled),
    ]
    actor.stop()
    return clock.pending() === 0 ? findings : [...findings, `${clock.pending()} timers outlived it`]
  }
}

interface Play {
  readonly spec: Spec
  readonly sequence: Sequence
  readonly run: Run
  readonly clock: VirtualClock
  readonly tell: (event: AnyEventObject) => void
}

/** The events of a sequence, and then the calm. */
export function play({ spec, sequence, run, clock, tell }: Play): void {
  for (const [kind, what] of sequence.steps) {
    if (kind === 'tell') tell(renewed(run, spec, what))
    else clock.advance(what)
  }
  run.isCalm = true
  // What earlier ports respond is handled first.
  clock.advance(OLD_RESPONSES)
  for (const event of spec.settling) tell(renewed(run, spec, event))
  clock.advance(SETTLE_TIME)
}

function unsettled(awaited: readonly string[], settled: readonly string[]): string[] {
  return awaited.flatMap(id => {
    const times = settled.filter(other => other === id).length
    return times === 1 ? [] : [`${id} was settled ${times} times`]
  })
}
