// Watches a system and counts the states, transitions and guards that its machines reach.
import {
  type AnyActorRef,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type AnyStateNode,
  type InspectionEvent,
  not,
} from 'xstate'
import { addCounts, CoverageCounter, type MachineCounts, type GuardPlace } from '../../../trace/index.ts'
import { machineChart, guardName, type TransitionNode, transitionsOf } from '../../runtime/index.ts'
import {
  historyOf,
  initialNodes,
  isMachine,
  isReentered,
  logicOf,
  nameOf,
  transitionsIn,
  withMicrostep,
} from '../../recording/index.ts'

type Microstep = Extract<InspectionEvent, { readonly type: '@xstate.microstep' }>

/** Counts from inspection events. Call `end` afterwards, since it wraps the machines' guards. */
export class CoverageWatch {
  readonly #counters = new Map<AnyStateMachine, CoverageCounter>()
  readonly #snapshots = new WeakMap<object, AnyMachineSnapshot>()
  readonly #ends: (() => void)[] = []

  /** Handles any inspection event. */
  readonly inspect = (event: InspectionEvent): void => {
    if (event.type === '@xstate.actor') {
      const logic = logicOf(event.actorRef as AnyActorRef)
      if (isMachine(logic)) this.add(logic)
    } else if (event.type === '@xstate.microstep') this.#microstep(event)
    else if (event.type === '@xstate.snapshot') this.#snapshot(event.actorRef, event.snapshot)
  }

  /** Includes this machine in the counts, even if it never runs. */
  add(machine: AnyStateMachine): void {
    if (this.#counters.has(machine)) return
    const counter = new CoverageCounter(machineChart(machine), guardsOf(machine))
    this.#counters.set(machine, counter)
    this.#ends.push(watchGuards(machine, (place, passed) => counter.countGuard(place, passed)))
  }

  /** Restores the machines' original guards. */
  end(): void {
    for (const end of this.#ends.splice(0)) end()
  }

  get counts(): MachineCounts[] {
    return addCounts([...this.#counters.values()].map(({ counts }) => counts))
  }

  #microstep({ actorRef, snapshot, event, _transitions: selected }: Microstep): void {
    if (!isMachineSnapshot(snapshot)) return
    const counter = this.#counters.get(snapshot.machine)
    const last = this.#snapshots.get(actorRef)
    this.#snapshots.set(actorRef, snapshot)
    if (!counter) return
    const before = new Set(last?._nodes)
    if (!last && event.type === 'xstate.init') {
      for (const node of initialNodes(snapshot.machine.root)) before.add(enter(counter, node))
    }
    // Missing in other versions of XState.
    if (!(selected as typeof selected | undefined)?.length) return
    const history = historyOf(last)
    const taken = transitionsIn(withMicrostep(undefined, selected, () => history))
    for (const transition of taken) counter.taken(nameOf(transition))
    for (const node of snapshot._nodes) {
      if (!before.has(node) || taken.some(one => isReentered(node, one, history))) enter(counter, node)
    }
  }

  #snapshot(actorRef: object, snapshot: unknown): void {
    if (!isMachineSnapshot(snapshot)) return
    const counter = this.#counters.get(snapshot.machine)
    // The first snapshot of an actor: it was started or restored.
    if (counter && !this.#snapshots.has(actorRef)) for (const node of snapshot._nodes) enter(counter, node)
    this.#snapshots.set(actorRef, snapshot)
  }
}

function enter(counter: CoverageCounter, node: AnyStateNode): AnyStateNode {
  counter.entered(node.path.join('.'))
  return node
}

function isMachineSnapshot(snapshot: unknown): snapshot is AnyMachineSnapshot {
  return typeof snapshot === 'object' && snapshot !== null && '_nodes' in snapshot
}

/** A combined guard as XState evaluates it; missing in XState's types (5.33). */
interface Evaluated {
  check(snapshot: AnyMachineSnapshot, args: unknown, own: unknown): boolean
  readonly guards?: readonly unknown[]
}

/** Receives the result of a guard. */
type OnGuard = (place: GuardPlace, hasPassed: boolean) => void

/** Lists the machine's guards by position; combined ones are followed by their parts. */
function guardsOf(machine: AnyStateMachine): GuardPlace[] {
  return guardedTransitions(machine.root).flatMap(({ transition, guard }) =>
    placesOf(machine, nameOf(transition), guard),
  )
}

/**
 * Wraps every guard of the machine without changing its result. Returns a function that removes the wrappers.
 */
function watchGuards(machine: AnyStateMachine, onGuard: OnGuard): () => void {
  const guarded = guardedTransitions(machine.root)
  for (const { transition, guard } of guarded) {
    setGuard(transition, watched(machine, { transition: nameOf(transition) }, guard, onGuard))
  }
  return () => {
    for (const { transition, guard } of guarded) setGuard(transition, guard)
  }
}

function setGuard(transition: TransitionNode, guard: unknown): void {
  ;(transition as { guard?: unknown }).guard = guard
}

function guardedTransitions(node: AnyStateNode): { transition: TransitionNode; guard: unknown }[] {
  const own = transitionsOf(node).flatMap(([transition]) => {
    const guard: unknown = transition.guard
    return guard === undefined ? [] : [{ transition, guard }]
  })
  return [...own, ...Object.values<AnyStateNode>(node.states).flatMap(guardedTransitions)]
}

type Position = Pick<GuardPlace, 'transition' | 'part'>

function placesOf(machine: AnyStateMachine, transition: string, guard: unknown, part?: string): GuardPlace[] {
  const place = { transition, guard: guardName(guard), ...(part !== undefined && { part }) }
  const parts = combined(machine, guard)?.guards ?? []
  return [place, ...parts.flatMap((one, n) => placesOf(machine, transition, one, partOf(part, n)))]
}

function partOf(above: string | undefined, n: number): string {
  return above === undefined ? String(n) : `${above}.${n}`
}

/** Wraps a guard; XState still resolves and evaluates it. */
function watched(machine: AnyStateMachine, position: Position, guard: unknown, onGuard: OnGuard): unknown {
  const own = combined(machine, guard)
  const place = { ...position, guard: guardName(guard) }
  const parts = own?.guards?.map((one, n) =>
    watched(machine, { transition: position.transition, part: partOf(position.part, n) }, one, onGuard),
  )
  const asked = own && parts ? { ...own, check: own.check, guards: parts } : undefined
  const opposite = not(guard as Parameters<typeof not>[0]) as unknown as Evaluated
  const report = (passed: boolean) => {
    onGuard(place, passed)
    return passed
  }
  return Object.assign(() => undefined, {
    check: (snapshot: AnyMachineSnapshot, args: unknown) =>
      report(asked ? asked.check(snapshot, args, asked) : !opposite.check(snapshot, args, opposite)),
  })
}

/** Returns a combined guard, also if it is referenced by name. */
function combined(machine: AnyStateMachine, guard: unknown): Evaluated | undefined {
  const found = typeof guard === 'string' ? (machine.implementations.guards[guard] as unknown) : guard
  const isCombined = typeof found === 'function' && 'check' in found && 'guards' in found
  return isCombined ? (found as unknown as Evaluated) : undefined
}
