// Checks a replay without recorded steps: by keyframes, the tape, and events sent within steps.
import {
  type ActorEntry,
  type CodeCounts,
  decodeValue,
  diffValues,
  encodeGraph,
  encodeValue,
  hasOmissions,
  type Json,
  type KeyframeRecord,
  listedChanges,
  recordText,
  type ReplayableTrace,
  type Stimulus,
} from '../../../trace/index.ts'
import type { SoundPart, Wrong } from './comparison.ts'
import type { StepCheck } from './checked-run.ts'
import { ExactResolver, type SetTimers } from '../run/record-resolver.ts'
import type { ReplayRun } from '../run/replay-run.ts'
import { originOf } from '../run/restoring.ts'

/** Exact placement that counts the placed stimuli. */
export class KeyframeOnlyResolver extends ExactResolver {
  /** Number of stimuli that were placed. */
  placed = 0
  readonly problems: string[]

  constructor(trace: ReplayableTrace) {
    const problems: string[] = []
    super(trace, problems, originOf(trace))
    this.problems = problems
  }

  override found(): void {
    this.placed += 1
  }

  override timer(stimulus: Stimulus, timers: SetTimers): number | undefined {
    const ordinal = super.timer(stimulus, timers)
    // The timer fires without effect, as in the recording.
    if (ordinal === undefined) this.placed += 1
    return ordinal
  }
}

/** Checks a replay from its beginning. Call it before the first stimulus and after each. */
export class KeyframeOnlyCheck implements StepCheck {
  /** There are no steps to compare. */
  readonly compared = 0
  /** Number of keyframes that were compared and found equal. */
  keyframes = 0
  incomplete: number | undefined
  readonly #trace: ReplayableTrace
  readonly #run: ReplayRun
  readonly #resolver: KeyframeOnlyResolver
  readonly #recorded: readonly KeyframeRecord[]
  readonly #last: number
  /** Number of repeated stimuli, and that number at the last keyframe that matched. */
  #position = -1
  #known = 0
  #tape = 0

  constructor(trace: ReplayableTrace, run: ReplayRun, resolver: KeyframeOnlyResolver, sound: SoundPart) {
    this.#trace = trace
    this.#run = run
    this.#resolver = resolver
    this.#last = sound.stimuli.length
    this.#recorded = trace.keyframes.filter(({ at }) => at > 0 && at <= this.#last)
  }

  next(): Wrong | undefined {
    const position = ++this.#position
    const problem = this.#resolver.problems[0] ?? this.#run.problems[0]
    if (problem !== undefined) return this.#wrong(problem, Math.max(0, position - 1))
    // Anchored stimuli occur during the previous step.
    if (position < this.#last && this.#trace.stimuli[position]?.anchor) return undefined
    return this.#unmet(position) ?? this.#misread(position) ?? this.#compare(position)
  }

  #unmet(position: number): Wrong | undefined {
    const missing = position - this.#resolver.placed
    if (missing === 0) return undefined
    const stimuli = this.#trace.stimuli.slice(0, position)
    const step = stimuli.findLast(({ anchor }) => !anchor)?.seq ?? 0
    const path = this.#trace.actors[stimuli.findLast(({ anchor }) => anchor)?.from ?? -1]?.path
    const who = path === undefined ? '' : `, e.g. by ${path},`
    return this.#wrong(`${missing} recorded events sent within a step${who} were not sent`, step)
  }

  #misread(position: number): Wrong | undefined {
    const { tape } = this.#trace
    for (let entry = tape[this.#tape]; entry && (entry.at ?? -1) < position; entry = tape[this.#tape])
      this.#tape += 1
    const { readings } = this.#resolver
    if (readings === this.#tape) return undefined
    return this.#wrong(
      `${readings} time, random and id values were read so far; recorded: ${this.#tape}`,
      position - 1,
    )
  }

  #compare(position: number): Wrong | undefined {
    for (let next = this.#recorded[this.keyframes]; next && next.at <= position;) {
      const here = this.#run.keyframe(position, true)
      const known = this.#known
      if (!here)
        return this.#wrong('the full state cannot be captured in the replay, but was recorded', known)
      const { trace } = this.#run
      const { differences, isComplete } = compareKeyframes(next, this.#trace.actors, here, trace.actors)
      if (!isComplete) this.incomplete ??= position
      if (differences.length > 0)
        return this.#wrong(`the state before input ${position} differs`, known, differences)
      this.#known = position
      this.keyframes += 1
      next = this.#recorded[this.keyframes]
    }
    return undefined
  }

  rest(): undefined {
    return undefined
  }

  #wrong(problem: string, from: number, differences: KeyframeDifferences = []): Wrong {
    return { index: 0, problem, between: [from, this.#position], differences }
  }
}

/** JSON Pointers at which two states differ, with both values as JSON. */
export type KeyframeDifferences = readonly {
  readonly path: string
  readonly expected: unknown
  readonly got: unknown
}[]

/** Maximum number of reported differences. */
const MOST = 20

/** The result of a comparison; complete if no part of a value is missing in the recording. */
interface KeyframeComparison {
  readonly differences: KeyframeDifferences
  readonly isComplete: boolean
}

/**
 * Finds the differences, as JSON Pointers that begin with an actor's path or with `timers`; empty if there
 * are none.
 */
function compareKeyframes(
  recorded: KeyframeRecord,
  actorsThen: readonly ActorEntry[],
  here: KeyframeRecord,
  actorsNow: readonly ActorEntry[],
): KeyframeComparison {
  const then = stateOf(recorded, actorsThen)
  const text = JSON.stringify(encodeValue(then))
  let now = stateOf(here, actorsNow)
  // A value that was too large to be written is compared by its marker.
  if (text.includes(UNWRITABLE)) now = stateOf(asWritten(here), actorsNow)
  const isComplete = !hasOmissions(text)
  if (text === JSON.stringify(encodeValue(now))) return { differences: [], isComplete }
  const diff = diffValues(encodeGraph(then), encodeGraph(now), MOST)
  const differences = listedChanges(diff).map(({ path, before, after }): KeyframeDifferences[number] => ({
    path,
    expected: before,
    got: after,
  }))
  return { differences, isComplete }
}

const UNWRITABLE = '"$":"unwritable"'

function asWritten(keyframe: KeyframeRecord): KeyframeRecord {
  return decodeValue(JSON.parse(recordText(keyframe)) as Json) as KeyframeRecord
}

interface Own extends Readonly<Record<string, unknown>> {
  readonly status?: unknown
}

interface Persisted extends Own {
  readonly children?: Readonly<Record<string, PersistedChild>>
}

interface PersistedChild {
  readonly snapshot: Persisted
}

/** Everything that must match, by actor path. The remaining time of a timer depends on the clock. */
function stateOf({ snapshot, ...keyframe }: KeyframeRecord, table: readonly ActorEntry[]): unknown {
  const { tree = table.slice(0, keyframe.actors).map(({ index }) => index), leaves } = keyframe
  const counts = new Map(leaves.map(leaf => [leaf.actor, leaf]))
  const pathOf = (index: number) => table[index]?.path ?? `number ${index}`
  const actors: Record<string, Own> = {}
  let at = 0
  const visit = ({ children, ...own }: Persisted, link: object) => {
    const index = tree[at++] ?? -1
    // An ended actor runs no more code, so its counts do not matter.
    const code = own.status === 'active' ? countsOf(counts.get(index)) : undefined
    actors[pathOf(index)] = { ...link, ...own, ...code, children: Object.keys(children ?? {}) }
    for (const { snapshot: below, ...rest } of Object.values(children ?? {})) visit(below, rest)
  }
  visit(snapshot as Persisted, {})
  const timers = keyframe.timers.map(({ source, target, outside, event, delay, id, ordinal }) => [
    String(ordinal),
    { source: pathOf(source), target: target === undefined ? { outside } : pathOf(target), event, delay, id },
  ])
  const names = Object.entries(keyframe.names).filter(([path]) => isNameBelow(actors, path))
  return {
    actors,
    timers: Object.fromEntries(timers) as unknown,
    nextOrdinal: keyframe.nextOrdinal,
    unreachable: keyframe.unreachable.toSorted(),
    names: Object.fromEntries(names.sort(([a], [b]) => (a < b ? -1 : 1))) as unknown,
  }
}

/** Names below ended actors are not used again. */
function isNameBelow(actors: Readonly<Record<string, Own>>, path: string): boolean {
  const end = path.lastIndexOf('/')
  const parent = path.slice(0, end)
  return end < 0 || (Object.hasOwn(actors, parent) && actors[parent]?.status === 'active')
}

function countsOf(counts: CodeCounts | undefined): object {
  const { transitions = 0, actions = 0, snapshots = 0, emits = 0, sends = 0 } = counts ?? {}
  return { code: { transitions, actions, snapshots, emits, sends } }
}
