// Splits a recording into segments that each begin with a keyframe, so that old ones can be dropped and the
// rest replays.
import {
  extentOf,
  joinTraces,
  type NotedTrace,
  type Part,
  type ReplayableTrace,
} from '../../../trace/index.ts'
import { createJoined } from './joined-segments.ts'

/**
 * Limits how much of a recording stays in memory; the oldest segments are dropped first. If both limits are
 * set, the tighter one applies.
 */
export interface RingOptions {
  /** Keep the last this many minutes. */
  readonly minutes?: number
  /** Keep the last this many stimuli (external events and timers). Defaults to 100,000. */
  readonly stimuli?: number
}

/** A part of a recording, which is a trace too. */
export interface Segment extends Part {
  /** Counted from 0 across all recordings. */
  readonly number: number
  /**
   * Whether a recording can begin with this segment. Otherwise its keyframe lacks actors that no parent
   * references.
   */
  readonly isRestorable: boolean
}

/** Subscribes to newly recognized secrets and their pseudonyms. Returns an unsubscribe function. */
export type OnSecret = (listener: (secret: string, pseudonym: string) => void) => () => void

/** Runs a system and records it. */
export interface SegmentRecorder {
  readonly onSecret: OnSecret
  readonly trace: Pick<ReplayableTrace, 'version' | 'subscribe'>
  readonly segment: () => NotedTrace
  /** Milliseconds since the segment began, on the clock of its records. */
  readonly elapsed: () => number
  readonly refine: (trace: ReplayableTrace) => ReplayableTrace
  readonly startRecording: () => void
  readonly seal: () => void
  /** Subscribes to the moment just before the system is started again, which begins another recording. */
  readonly onRestart: (listener: () => void) => () => void
  /** Begins a new segment. Returns false, and begins none, if a recording could not start with it. */
  readonly nextSegment: () => boolean
}

/** A recording in segments. */
export interface Segments {
  /** Number of recordings that were started. */
  run(): number
  /** Segments of the recording, oldest first. The last one grows while recording. */
  list(): readonly Segment[]
  isRecording(): boolean
  /** Starts a new recording with a keyframe of the current state and drops the previous recording. */
  start(): void
  stop(): void
  /** Begins a new segment now. */
  renew(): void
  /** Milliseconds since the recording began, on the clock of its records. */
  elapsed(): number
  /**
   * The steps, updated live even when not recording. When segments are dropped, the arrays are replaced by
   * new ones.
   */
  readonly trace: ReplayableTrace
  /** Adds a note to a step of `trace`, by default the last one. An empty note removes it. */
  bookmark(note: string, step?: number): void
  /** Returns the recording as one trace, without secrets that were recognized later. */
  recorded(): ReplayableTrace
  /** Text that was written earlier may contain these secrets. */
  readonly onSecret: OnSecret
  /** Subscribes to the moment just before a recording is stopped or restarted. */
  onEnd(listener: () => void): () => void
}

interface Held extends Segment {
  readonly trace: NotedTrace
  /** Number of steps recorded when the segment began. */
  readonly since: number
}

/**
 * Some hours of busy work in some tens of megabytes, so that a page open for weeks does not fill its memory.
 */
const STIMULI = 100_000

/** A recording is kept in this many segments plus one. */
const PARTS = 4

/**
 * Divisor of the retry interval after a recording could not begin with a new segment, which can change with
 * every step.
 */
const RETRY = 16

/** Keeps a recorder's output as a ring of segments. */
export function createSegments(
  recorder: SegmentRecorder,
  now: () => number,
  { minutes, stimuli = STIMULI }: RingOptions = {},
): Segments {
  const span = (minutes ?? Number.POSITIVE_INFINITY) * 60_000
  const version = recorder.trace.version
  const ends = new Set<() => void>()
  let run = 0
  let origin = now()
  let live: Held[] = [held(recorder.segment(), 0, 0, version())]
  let stopped: readonly Segment[] | undefined
  /** Step count before which no new segment is attempted. */
  let due = 0
  /** Whether the next segment does not continue the last one. */
  let isOther = false
  const joined = createJoined(recorder, () => (sync(), live))

  const last = () => live.at(-1) as Held
  function sync() {
    const trace = recorder.segment()
    const before = last()
    if (trace === before.trace) return
    const next = held(trace, before.number + 1, now() - origin, version())
    if (isOther) begin(next)
    else live.push(next)
  }
  const begin = (first: Held) => {
    isOther = false
    run += 1
    origin += first.at
    live = [{ ...first, at: 0 }]
    joined.forget()
  }
  const renew = () => {
    const hasBegun = attempt(() => recorder.nextSegment())
    if (!hasBegun) due = version() + stimuli / PARTS / RETRY
    sync()
  }
  const isDue = () => {
    const { at, since } = last()
    if (version() < due) return false
    return version() - since >= stimuli / PARTS || now() - origin - at >= span / PARTS
  }
  const drop = () => {
    const covers = ({ at, since }: Held) => now() - origin - at >= span || version() - since >= stimuli
    // If no segment could begin for this long, the old part can no longer be continued; restart to bound
    // memory.
    if (live.length === 1 && version() - last().since >= stimuli * 2) attempt(() => recorder.startRecording())
    sync()
    const from = live.findLastIndex(one => covers(one) || (!one.isRestorable && one === last()))
    if (from <= 0) return
    const gone = live.slice(0, from)
    live = live.slice(from)
    joined.drop(gone, live[0] ?? last())
  }
  recorder.trace.subscribe(() => {
    sync()
    if (isDue()) renew()
    drop()
  })
  const end = () => {
    if (!stopped) for (const listener of ends) listener()
  }
  recorder.onRestart(() => {
    sync()
    end()
    isOther = true
  })
  return {
    run: () => (sync(), run),
    list: () => (sync(), stopped ?? live),
    isRecording: () => stopped === undefined,
    renew,
    elapsed: () => (sync(), last().at + recorder.elapsed()),
    start() {
      end()
      attempt(() => recorder.startRecording())
      sync()
      stopped = undefined
      begin(last())
    },
    stop() {
      if (!stopped) recorder.seal()
      end()
      stopped ??= live.map(one => (one === last() ? { ...one, until: extentOf(one.trace) } : one))
    },
    trace: joined.trace,
    bookmark(note, step = joined.trace.steps.length - 1) {
      const found = joined.locate(step)
      live.find(one => one.trace === found?.part.trace)?.trace.bookmark(note, found?.step ?? -1)
    },
    onSecret: recorder.onSecret,
    recorded() {
      if (!stopped) recorder.seal()
      sync()
      const [first = last(), ...rest] = stopped ?? live
      return recorder.refine(joinTraces([first, ...rest]))
    },
    onEnd(listener) {
      ends.add(listener)
      return () => void ends.delete(listener)
    },
  }
}

/** An app's own logic may be unable to provide its snapshot; the recording then continues unchanged. */
function attempt(begin: () => unknown): boolean {
  try {
    return begin() === true
  } catch {
    return false
  }
}

function held(trace: NotedTrace, number: number, at: number, since: number): Held {
  const isRestorable = trace.keyframes[0]?.unreachable[0] === undefined
  return { trace, number, at, since, isRestorable }
}
