// Watches a system and counts the states, transitions and guards that its machines reach.
import type { AnyActorRef, AnyMachineSnapshot, AnyStateMachine, AnyStateNode, InspectionEvent } from 'xstate'
import { addCounts, CoverageCounter, type MachineCounts } from '../../../trace/index.ts'
import { machineChart } from '../../runtime/index.ts'
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
import { guardsOf, watchGuards } from './coverage-guards.ts'

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
