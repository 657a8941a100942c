// The drive: replays a trace with machines that may have changed, to the end if possible.
import { chartDiff, type KeyframeRecord, type ReplayableTrace, type Stimulus } from '../../../trace/index.ts'
import { Comparison, soundPart, whyUnstarted, type Wrong } from '../verify/comparison.ts'
import {
  BoundedList,
  type DriveFindings,
  type DriveReport,
  type FinalState,
  type Wait,
} from './drive-report.ts'
import {
  compareMachines,
  findSystem,
  type MachineDifference,
  ReplayRun,
  type SentEvent,
} from '../run/replay-run.ts'
import type { SystemRegistry } from '../../runtime/index.ts'
import type { Armed } from '../../recording/index.ts'
import type { Actor, AnyActorLogic, AnyActorRef, InspectionEvent } from 'xstate'
import { DriveComparison, type StepComparison } from './drive-comparison.ts'
import { DriveResolver } from './drive-resolver.ts'
import { applyEdits, type DriveTurn, type Edit, type Edited } from './edits.ts'
import { type Divergence, divergenceOf } from '../verify/divergence.ts'

/** Options of `drive`. */
export interface DriveOptions {
  /** Changes to the stimuli. */
  readonly edits?: readonly Edit[]
  /** Omits the stimuli for which it returns false. */
  readonly keep?: (stimulus: Stimulus) => boolean
  /** False skips the comparison and converts only the steps that are read. */
  readonly compare?: boolean
  /** Called after every stimulus; return `false` to end the drive. */
  readonly onStep?: (step: DriveStep) => boolean | void
  /** Called for each event sent to another system. These events are not delivered. */
  readonly onSend?: (sent: SentEvent) => void
  /** Ends the drive when aborted. */
  readonly signal?: AbortSignal
  /** Time in the recording to which the drive continues after the last stimulus, in milliseconds. */
  readonly until?: number
}

/** State of a drive after a stimulus. */
export interface DriveStep {
  readonly stimulus: Stimulus
  /** Whether the stimulus could be placed. */
  readonly isPlaced: boolean
  readonly actor: Actor<AnyActorLogic>
  /** The drive so far as a recording; converted to plain data when read. */
  readonly trace: ReplayableTrace
}

/** A completed drive. */
export interface Drive {
  readonly report: DriveReport
  /** The drive as a recording that replays exactly; absent if the drive could not begin. */
  readonly trace?: ReplayableTrace
  /** The final state; absent if it could not be restored. */
  readonly keyframe?: KeyframeRecord | undefined
  /** The driven system at its end; absent if the drive could not begin. */
  readonly system?: DrivenSystem
}

/** A driven system, from which a live one can take its state. */
export interface DrivenSystem {
  readonly root: Actor<AnyActorLogic>
  /** Returns the path of the recorded actor in whose place this one is; undefined if none is. */
  readonly recordedPath: (ref: AnyActorRef) => string | undefined
  /** Returns the active timers. */
  readonly timers: () => readonly (Armed & { readonly left: number })[]
  /** Continues to this time, after the end of the recording. */
  readonly passTo: (t: number) => void
  /** Returns the final state of each actor next to the recorded one. */
  readonly final: () => readonly FinalState[]
}

/**
 * Replays a trace with machines that may have changed and reports the result. Never throws because of the
 * trace's content.
 */
export function drive(
  trace: ReplayableTrace,
  systems: SystemRegistry,
  options: DriveOptions = {},
): DriveReport {
  return makeDrive(trace, systems, options).report
}

/** The same, and also returns the recording of the run. */
export function makeDrive(
  trace: ReplayableTrace,
  systems: SystemRegistry,
  options: DriveOptions = {},
): Drive {
  const turns = driveTurns(trace, systems, options)
  for (;;) {
    const { done, value } = turns.next()
    if (done) return value
  }
}

/** The same, turn by turn: each `next` repeats one stimulus and returns how many were repeated. */
export function* driveTurns(
  trace: ReplayableTrace,
  systems: SystemRegistry,
  options: DriveOptions = {},
): Generator<number, Drive> {
  const base = {
    system: trace.header.system,
    stimuli: trace.stimuli.length,
    steps: trace.steps.length,
    machines: [],
    changes: [],
    damage: trace.damage,
  }
  const unusable = (reason: string): Drive => ({ report: { ...base, outcome: 'unusable', reason } })
  const found = findSystem(trace, systems)
  if ('reason' in found) return unusable(found.reason)
  const unstarted = trace.damage.length === 0 && whyUnstarted(trace)
  if (unstarted) return unusable(unstarted)
  try {
    return yield* new DriveRun(soundTrace(trace), found.system, options).turns()
  } catch (error) {
    return unusable(`the drive could not start: ${String(error)}`)
  }
}

/** Returns the complete steps of a damaged file. */
function soundTrace(trace: ReplayableTrace): ReplayableTrace {
  const { reason, stimuli, steps } = soundPart(trace)
  if (reason === undefined) return trace
  return { ...trace, header: trace.header, stimuli, steps: trace.steps.slice(0, steps) }
}

function comparisonFor(
  trace: ReplayableTrace,
  here: ReplayableTrace,
  pathThen: (index: number) => string,
): StepComparison | undefined {
  if (trace.steps.length > 0) return new DriveComparison(trace, here, pathThen)
  return trace.hashes.some(({ after }) => after > 0) ? new HashComparison(trace, here) : undefined
}

/** Bounds drives with changed machines that set timers endlessly. */
const MOST_TIMERS = 10_000

/** Runs one drive step by step. */
class DriveRun {
  readonly #trace: ReplayableTrace
  readonly #options: DriveOptions
  readonly #edited: Edited
  readonly #resolver: DriveResolver
  readonly #run: ReplayRun
  readonly #comparison: StepComparison | undefined
  readonly #machines: readonly MachineDifference[]
  /** Whether unrecorded timers may fire. They would not fire while everything matches the recording. */
  #isFree: boolean
  #timers = 0
  readonly #guard = new StepGuard()

  constructor(
    trace: ReplayableTrace,
    system: ConstructorParameters<typeof ReplayRun>[1],
    options: DriveOptions,
  ) {
    const { edits = [], keep, compare = true } = options
    this.#trace = trace
    this.#options = options
    this.#edited = applyEdits(trace, edits, keep)
    const { stimuli } = this.#edited
    // The run has steps, also if those of the recording were not recorded.
    const { steps: _steps, ...header } = trace.header
    const edited: ReplayableTrace = { ...trace, header, stimuli }
    this.#resolver = new DriveResolver(edited)
    this.#run = new ReplayRun(edited, system, {
      resolver: this.#resolver,
      inspect: this.#guard.inspect,
      onSend: options.onSend,
    })
    this.#machines = compareMachines(trace, this.#run.trace)
    this.#isFree = this.#machines.length > 0 || edits.length > 0 || keep !== undefined
    const pathThen = (index: number) =>
      this.#resolver.actors.pathOf(this.#run.trace.actors[index]?.path ?? '')
    if (compare) this.#comparison = comparisonFor(trace, this.#run.trace, pathThen)
  }

  *turns(): Generator<number, Drive> {
    const { turns } = this.#edited
    this.#run.start()
    this.#settle(-1, this.#edited.first)
    for (const [count, turn] of turns.entries()) {
      yield count
      if (this.#options.signal?.aborted) break
      this.#passTime(turn.stimulus.t)
      this.#take(turn)
      if (this.#deliver(turn.stimulus) === false || this.#guard.isBroken) break
    }
    if (this.#options.until !== undefined) this.#passTo(this.#options.until)
    this.#resolver.end(this.#edited.stimuli)
    const run = this.#run
    const { trace } = run
    const { actors } = this.#resolver
    return {
      report: this.#report(),
      trace,
      system: {
        root: run.actor,
        recordedPath: ref => actors.recordedPath(run.pathOf(ref) ?? ''),
        timers: run.armed,
        passTo: t => this.#passTo(t),
        final: () => this.#comparison?.final() ?? [],
      },
      get keyframe() {
        return run.keyframe(trace.stimuli.length)
      },
    }
  }

  #take({ stimulus, at, next }: DriveTurn): void {
    this.#resolver.step(at, stimulus.t)
    this.#guard.begin()
    try {
      this.#run.step(stimulus)
    } catch (error) {
      if (!this.#guard.isBroken) this.#resolver.lost(stimulus, `it could not be repeated: ${String(error)}`)
    }
    if (this.#guard.isBroken) this.#resolver.lost(stimulus, ENDLESS)
    this.#settle(at, next)
  }

  #settle(at: number, next: number): void {
    const { unplaced } = this.#resolver
    this.#resolver.settle(this.#run.timers.all())
    this.#comparison?.step(at, next)
    this.#isFree ||= this.#comparison?.first !== undefined || unplaced.items.length > 0
  }

  #deliver(stimulus: Stimulus): boolean | void {
    return this.#options.onStep?.({
      stimulus,
      isPlaced: !this.#resolver.isLost,
      actor: this.#run.actor,
      trace: this.#run.trace,
    })
  }

  /** Fires unrecorded timers that are due before the next stimulus. */
  #passTime(until: number): void {
    while (this.#isFree && this.#timers < MOST_TIMERS) {
      const due = this.#resolver.overdue(this.#run.timers.all(), until)
      if (!due) return
      this.#timers += 1
      this.#resolver.fires(due.timer, due.t)
      this.#guard.begin()
      try {
        this.#run.fire(due.timer, due.t)
      } catch {
        // The effect shows in the following steps.
        if (this.#guard.isBroken) return
      }
      this.#resolver.settle(this.#run.timers.all())
    }
  }

  /** Fires what is due until then, after the last stimulus. */
  #passTo(t: number): void {
    if (this.#guard.isBroken) return
    this.#passTime(t)
    this.#run.passTo(t)
    this.#settle(this.#trace.stimuli.length - 1, Number.POSITIVE_INFINITY)
  }

  #report(): DriveReport {
    const [then, now] = [this.#trace.header.machines, this.#run.trace.header.machines]
    const findings = driveFindings(this.#resolver, this.#comparison, this.#edited.impossible)
    const first = firstDifference(this.#trace, this.#run, this.#resolver, this.#comparison)
    return {
      system: this.#trace.header.system,
      stimuli: this.#trace.stimuli.length,
      steps: this.#trace.steps.length,
      machines: this.#machines,
      changes: this.#machines.flatMap(({ id }) => chartDiff(then[id], now[id])),
      damage: this.#trace.damage,
      outcome: first || !isQuiet(findings) ? 'differs' : this.#comparison ? 'same' : 'unverified',
      ...(first && { first }),
      ...findings,
    }
  }
}

/** Finds the first difference. Later differences of single actors cannot be determined. */
class HashComparison implements StepComparison {
  first: StepComparison['first']
  readonly later = new BoundedList<never>(0)
  readonly #comparison: Comparison

  constructor(recorded: ReplayableTrace, here: ReplayableTrace) {
    this.#comparison = new Comparison(recorded, here, soundPart(recorded))
  }

  step(at: number): void {
    if (this.first) return
    const wrong = this.#comparison.next([])
    if (wrong) this.first = { at, wrong }
  }

  final(): never[] {
    return []
  }
}

/** Maximum inspection events in one step, and maximum consecutive microsteps of one actor. */
const MOST_EVENTS = 200_000
const MOST_MICROSTEPS = 5_000

/** Reported for a stimulus that could not be placed. */
const ENDLESS = 'its step does not end'

/** Monitors one step at a time. */
class StepGuard {
  /** Whether a step was aborted. Nothing after that is reliable. */
  isBroken = false
  #events = 0
  #microsteps = 0
  #actor: unknown

  /** Begins a step. */
  begin(): void {
    this.#events = 0
    this.#microsteps = 0
  }

  /** XState inspector that throws when a limit is exceeded, which ends the endless actor. */
  readonly inspect = ({ type, actorRef }: InspectionEvent): void => {
    this.#events += 1
    if (type === '@xstate.microstep') {
      this.#microsteps = this.#actor === actorRef ? this.#microsteps + 1 : 1
      this.#actor = actorRef
    }
    this.isBroken ||= this.#events > MOST_EVENTS || this.#microsteps > MOST_MICROSTEPS
    if (this.isBroken) throw new Error(ENDLESS)
  }
}

/** Collects everything except the first difference. */
function driveFindings(
  { placed, unplaced, unrecorded, delays, actors, tape }: DriveResolver,
  comparison: StepComparison | undefined,
  impossible: readonly string[],
): DriveFindings {
  const waits = new BoundedList<Wait>(100)
  for (const { known, at } of actors.unbound) {
    if (known.leaf) waits.add({ actor: known.path, src: known.src, since: at })
  }
  const later = comparison?.later ?? new BoundedList(0)
  const final = comparison?.final() ?? []
  const missingReadings = tape.missing
  return { placed, later, unplaced, waits, unrecorded, delays, missingReadings, impossible, final }
}

/** Whether there are no findings. */
function isQuiet({ unplaced, waits, unrecorded, delays, missingReadings }: DriveFindings): boolean {
  return (
    missingReadings === 0 && [unplaced, waits, unrecorded, delays].every(({ items }) => items.length === 0)
  )
}

/** Returns the earlier of the first differing step and the first record that could not be placed. */
function firstDifference(
  then: ReplayableTrace,
  now: { readonly trace: ReplayableTrace },
  resolver: DriveResolver,
  comparison: StepComparison | undefined,
): Divergence | undefined {
  const seen = comparison?.first
  const problem = firstProblem(resolver)
  if (!problem || (seen && seen.at <= problem.seq)) return seen && divergenceOf(then, now, seen.wrong)
  const found = then.steps.findIndex(({ cause }) => cause >= problem.seq)
  const index = found < 0 ? then.steps.length : found
  const wrong: Wrong = { index, problem: problem.why, stimulus: problem.seq }
  return divergenceOf(then, now, wrong)
}

interface Problem {
  readonly seq: number
  readonly why: string
}

function firstProblem({ unplaced, delays }: DriveResolver): Problem | undefined {
  const [lost] = unplaced.items.toSorted((a, b) => a.seq - b.seq)
  const [late] = delays.items
  if (late && (!lost || late.seq <= lost.seq)) {
    const { seq, actor, event, was, is } = late
    return { seq, why: `${actor} sets ${event} to ${is} ms; recorded: ${was} ms` }
  }
  return lost
}
