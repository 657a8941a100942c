// Segments: a recording in pieces that each begin with a keyframe, so that the oldest can go and the rest replays.
import type { NotedTrace } from '../../trace/bookmarks.ts'
import type { ReplayableTrace } from '../../trace/format.ts'
import { extentOf, joinTraces, type Part } from '../../trace/join.ts'
import { createJoined } from './joined-segments.ts'

/** How much a recording keeps in memory; the oldest pieces go first. What is given second bounds what is given first. */
export interface RingOptions {
  /** The last so many minutes. */
  readonly minutes?: number
  /** The last so many stimuli: events from outside, timers. 100,000 unless told. */
  readonly stimuli?: number
}

/** A piece of a recording: a trace of its own. */
export interface Segment extends Part {
  /** Counted from 0 over all recordings. */
  readonly number: number
  /** Whether a recording can begin with it; else its keyframe lacks actors that no parent holds. */
  readonly isRestorable: boolean
}

/** Calls back with each secret that becomes known, and what takes its place; gives what ends that. */
export type OnSecret = (listener: (secret: string, pseudonym: string) => void) => () => void

/** What runs a system and records it. */
export interface SegmentRecorder {
  readonly onSecret: OnSecret
  readonly trace: Pick<ReplayableTrace, 'version' | 'subscribe'>
  readonly segment: () => NotedTrace
  readonly refine: (trace: ReplayableTrace) => ReplayableTrace
  readonly startRecording: () => void
  readonly seal: () => void
  /** False when a recording could not begin with it; nothing is begun then. */
  readonly nextSegment: () => boolean
}

/** A recording in pieces. */
export interface Segments {
  /** Counts the recordings that were begun. */
  run(): number
  /** Those of the recording, the oldest first; the last one grows while recording. */
  list(): readonly Segment[]
  isRecording(): boolean
  /** Begins a new recording with a keyframe of the system as it is; the one before is dropped. */
  start(): void
  stop(): void
  /** Begins a new segment now. */
  renew(): void
  /** The steps as they come, also while not recording; when segments went, new arrays are in the place of the old. */
  readonly trace: ReplayableTrace
  /** Puts a note on a step of `trace`, the last one unless told; an empty one takes it away. */
  bookmark(note: string, view?: number): void
  /** The recording as one trace, without what became known as a secret since. */
  recorded(): ReplayableTrace
  /** What was written before may hold it. */
  readonly onSecret: OnSecret
  /** Calls back when a recording is stopped or begun anew, just before that. */
  onEnd(listener: () => void): () => void
}

interface Held extends Segment {
  readonly trace: NotedTrace
  /** Steps that were made when it began. */
  readonly since: number
}

/** Some hours of busy work in some tens of megabytes; a page that lives for weeks must not fill its memory. */
const STIMULI = 100_000

/** A recording is held in so many segments, and one more. */
const PARTS = 4

/** How often another segment is tried when a recording could not begin with it: that may change with every step. */
const RETRY = 16

/** Keeps what a recorder records as a ring of segments. */
export function createSegments(
  recorder: SegmentRecorder,
  now: () => number,
  { minutes, stimuli = STIMULI }: RingOptions = {},
): Segments {
  const span = minutes === undefined ? Number.POSITIVE_INFINITY : minutes * 60_000
  const version = recorder.trace.version
  const ends = new Set<() => void>()
  let run = 0
  let origin = now()
  let live: Held[] = [held(recorder.segment(), 0, 0, version())]
  let stopped: readonly Segment[] | undefined
  /** Steps before which no other segment is tried. */
  let due = 0
  const joined = createJoined(recorder, () => (sync(), live))

  const last = () => live.at(-1) as Held
  function sync() {
    const trace = recorder.segment()
    const before = last()
    if (trace === before.trace) return
    live.push(held(trace, before.number + 1, now() - origin, version()))
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
    // When no segment could be begun for so long, what is there can't lead on any more: memory has an end.
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
  return {
    run: () => run,
    list: () => (sync(), stopped ?? live),
    isRecording: () => stopped === undefined,
    renew,
    start() {
      end()
      attempt(() => recorder.startRecording())
      sync()
      stopped = undefined
      run += 1
      origin += last().at
      live = [{ ...last(), at: 0 }]
      joined.forget()
    },
    stop() {
      if (!stopped) recorder.seal()
      end()
      stopped ??= live.map(one => (one === last() ? { ...one, until: extentOf(one.trace) } : one))
    },
    trace: joined.trace,
    bookmark(note, view = joined.trace.views.length - 1) {
      const found = joined.locate(view)
      live.find(one => one.trace === found?.part.trace)?.trace.bookmark(note, found?.view ?? -1)
    },
    onSecret: recorder.onSecret,
    recorded() {
      if (!stopped) recorder.seal()
      sync()
      const [first = last(), ...rest] = stopped ?? live
      const begin = { ...first, at: 0 }
      return recorder.refine(joinTraces([begin, ...rest.map(one => ({ ...one, at: one.at - first.at }))]))
    },
    onEnd(listener) {
      ends.add(listener)
      return () => void ends.delete(listener)
    },
  }
}

/** Logic of the app's own may be unable to say how it is; its recording then goes on as it was. */
function attempt(begin: () => unknown): boolean {
  try {
    return begin() === true
  } catch {
    return false
  }
}

function held(trace: NotedTrace, number: number, at: number, since: number): Held {
  const isRestorable = (trace.keyframes[0]?.unreachable.length ?? 0) === 0
  return { trace, number, at, since, isRestorable }
}
