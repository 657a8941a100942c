// Writes a recording as a file while the app goes on; loaded with the first download.
import { batchOf, extentOf, Joiner, type Part, type ReplayableTrace } from '../../trace/index.ts'
import { encodeFile } from '../../trace/write/encode.ts'
import { createSlices } from '../runtime/index.ts'
import type { SegmentRecorder, Segments } from './store/segments.ts'

type Pause = ReturnType<typeof createSlices>

/** The same as `encodeFile`, in slices between which the page can draw and handle input. */
export const encodeGently = (
  trace: ReplayableTrace,
  pause: Pause = createSlices(),
): Promise<Uint8Array<ArrayBuffer>> => encodeFile(trace, { pause })

/** The recording as a file. */
export const recordingFile = async (trace: ReplayableTrace): Promise<Blob> =>
  fileOf(await encodeGently(trace))

/** The segments up to now as a file. */
export const segmentsFile = async (...args: Parameters<typeof encodeSegments>): Promise<Blob> =>
  fileOf(await encodeSegments(...args))

const fileOf = (bytes: Uint8Array<ArrayBuffer>): Blob => new Blob([bytes], { type: 'application/gzip' })

/** Records between two looks at the time; keyframes, the largest ones, take about a millisecond each. */
const RECORDS = 8

type Recorder = Pick<SegmentRecorder, 'refine' | 'seal'>

/** What a file says in addition to the recording. */
export interface FileContext {
  /** W3C trace context of the app, e.g. that of OpenTelemetry or Sentry. Exports to OTLP use it. */
  readonly traceparent?: string | undefined
}

/**
 * The content of a file with the segments up to the end of this call's conversion of records. Only the keyframe
 * at the end is one piece of work; the rest is done in slices.
 */
export async function encodeSegments(
  segments: Pick<Segments, 'list' | 'isRecording'>,
  recorder: Recorder,
  { traceparent }: FileContext = {},
  pause: Pause = createSlices(),
): Promise<Uint8Array<ArrayBuffer>> {
  // The largest single piece: charts are searched for secrets when they are first read, so they get their own slice.
  const [machines] = segments.list().map(({ trace }) => trace.header.machines)
  await pause()
  // What is recorded in the meantime is converted, too: the end is the moment when nothing is left.
  while (segments.list().some(({ trace }) => !batchOf(trace, RECORDS).isWhole)) await pause()
  if (segments.isRecording()) recorder.seal()
  const trace = await refined(await join(partsOf(segments), pause), recorder, pause)
  return encodeGently(
    {
      ...trace,
      header: {
        ...trace.header,
        ...(machines && { machines }),
        ...(traceparent !== undefined && { traceparent }),
      },
    },
    pause,
  )
}

/** The segments up to now. */
function partsOf({ list }: Pick<Segments, 'list'>): Part[] {
  const all = list()
  const start = all[0]?.at ?? 0
  return all.map(({ trace, at, until }, index) => {
    const isLast = index === all.length - 1
    return { trace, at: at - start, until: until ?? (isLast ? extentOf(trace) : undefined) }
  })
}

async function join(parts: readonly Part[], pause: Pause): Promise<ReplayableTrace> {
  const [first] = parts
  if (!first) throw new Error('A recording has at least one segment.')
  const { trace } = first
  const joiner = new Joiner()
  for (const part of parts) {
    joiner.open(part)
    while (!joiner.advance(RECORDS)) await pause()
    joiner.update()
  }
  const { actors, stimuli, steps, tape, keyframes, bookmarks, damage } = joiner
  const records = { actors, stimuli, steps, tape, bookmarks, damage }
  return {
    live: false,
    header: trace.header,
    ...records,
    // Those of what was recorded in the meantime.
    keyframes: keyframes.filter(({ at }) => at <= stimuli.length),
    hashes: [],
    version: () => 0,
    subscribe: () => () => undefined,
  }
}

/** Removes secrets that were recognized after the records were converted. */
async function refined(trace: ReplayableTrace, { refine }: Recorder, pause: Pause): Promise<ReplayableTrace> {
  const none = { actors: [], stimuli: [], steps: [], tape: [], keyframes: [] }
  const input = undefined
  const bare = { ...trace, ...none, header: { ...trace.header, input }, bookmarks: [], damage: [] }
  const inSlices = async <Name extends keyof typeof none>(name: Name) => {
    const items: readonly ReplayableTrace[Name][number][] = trace[name]
    const changed: ReplayableTrace[Name][number][] = []
    for (let at = 0; at < items.length; at += RECORDS) {
      changed.push(...refine({ ...bare, [name]: items.slice(at, at + RECORDS) })[name])
      await pause()
    }
    return changed
  }
  return {
    ...refine({ ...trace, ...none }),
    actors: await inSlices('actors'),
    stimuli: await inSlices('stimuli'),
    steps: await inSlices('steps'),
    tape: await inSlices('tape'),
    keyframes: await inSlices('keyframes'),
  }
}
