// Machine coverage of traces: replays each trace and counts what its machines reach.
import {
  type AnyActorLogic,
  type AnyActorRef,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type AnyStateNode,
  type InspectionEvent,
  not,
} from 'xstate'
import {
  addCounts,
  CoverageCounter,
  type CoverageReport,
  type CoveredTrace,
  type GuardPlace,
  type MachineCounts,
  mergeCoverage,
  recordedCoverage,
  type ReplayableTrace,
  toReport,
} from '../../../trace/index.ts'
import {
  type ComposeSystem,
  guardName,
  machineChart,
  machineSource,
  machinesOf,
  type SystemRegistry,
  type TransitionNode,
  transitionsOf,
} from '../../runtime/index.ts'
import { historyOf, isMachine, logicOf, nameOf, transitionsIn, withMicrostep } from '../../recording/index.ts'
import { initialNodes, isReentered } from './entered-states.ts'
import { checkedRun, findWrong } from '../verify/checked-run.ts'
import { soundPart, whyUnstarted, type Wrong } from '../verify/comparison.ts'
import { findSystem } from '../run/replay-run.ts'
import { whyUncompared } from '../verify/verify.ts'

/**
 * Reports which states, transitions and guard branches of the given machines the traces reach in total. Every
 * trace is replayed as far as the replay is exact. If a trace's system is unknown, its recorded steps and the
 * machines in its header are used. Everything that no trace shows counts as not covered. Never throws because
 * of a trace's content.
 */
export function coverage(traces: Iterable<ReplayableTrace>, systems: SystemRegistry): CoverageReport {
  return mergeCoverage([...traces].map(trace => coverageOf(trace, systems)))
}

function coverageOf(trace: ReplayableTrace, systems: SystemRegistry): CoverageReport {
  const found = findSystem(trace, systems)
  if ('reason' in found) return recorded(trace, found.reason)
  const watch = new CoverageWatch()
  let reason: string | undefined
  try {
    reason = replay(trace, found.system, watch)
  } catch (error) {
    reason = `the replay failed: ${String(error)}`
  } finally {
    watch.end()
  }
  const how = reason === undefined ? 'replayed' : 'partly'
  return toReport([named(trace, how, reason)], watch.counts)
}

function named(
  { header: { system, startedAt } }: ReplayableTrace,
  how: CoveredTrace['how'],
  reason: string | undefined,
): CoveredTrace {
  return { system, startedAt, how, ...(reason !== undefined && { reason }) }
}

function recorded(trace: ReplayableTrace, reason: string): CoverageReport {
  const { counts, hasTransitions } = recordedCoverage(trace)
  const without = hasTransitions
    ? ''
    : '; its steps do not name their transitions, so only states are counted'
  return toReport([named(trace, 'recorded', reason + without)], counts)
}

/** Replays while the replay is exact. Returns the reason if it ends early. */
function replay(
  trace: ReplayableTrace,
  system: AnyActorLogic | ComposeSystem,
  watch: CoverageWatch,
): string | undefined {
  const sound = soundPart(trace)
  const run = checkedRun(trace, system, sound, { inspect: watch.inspect })
  const root = logicOf(run.actor)
  if (isMachine(root)) machinesOf(root).forEach(watch.add, watch)
  const unstarted = sound.reason === undefined && whyUnstarted(trace)
  if (unstarted) return unstarted
  const wrong = findWrong(run, sound.stimuli)
  return wrong ? whereWrong(wrong) : (sound.reason ?? whyUncompared(run.check))
}

function whereWrong({ index, problem, between }: Wrong): string {
  const why = problem === undefined ? '' : `: ${problem}`
  if (between) return `diverges from the recording between inputs ${between[0]} and ${between[1]}${why}`
  return `diverges from the recording at step ${index}${why}`
}

type Microstep = Extract<InspectionEvent, { readonly type: '@xstate.microstep' }>

/** Counts from inspection events. Call `end` afterwards, since it wraps the machines' guards. */
class CoverageWatch {
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
    const counter = new CoverageCounter(machineChart(machine), machineSource(machine), guardsOf(machine))
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
