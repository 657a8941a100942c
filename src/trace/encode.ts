// Writing a trace: one JSON line per record, in the order in which things happened, gzipped outside.
import { encodeValue } from './codec.ts'
import type { HashRecord, ReplayableTrace, TraceRecord, ViewRecord } from './format.ts'
import { hashText } from './hash.ts'

/** How many views lie between two hash records. */
const HASH_EVERY = 256

export interface EncodeOptions {
  /** False leaves the views out; the hashes still find a divergence. */
  readonly views?: boolean
}

/** One record as a line of a file, without the line break. */
function encodeRecord(record: TraceRecord): string {
  return JSON.stringify(encodeValue(record))
}

/** All lines of a file, the header first. */
export function* encodeLines(trace: ReplayableTrace, options: EncodeOptions = {}): Generator<string> {
  yield encodeRecord(trace.header)
  yield* encodeOrigin(trace)
  const rolling = createRollingHash()
  const views = trace.views.length
  const stimuli = trace.stimuli.length
  let viewAt = 0
  for (let at = -1; at < stimuli; at++) {
    const stimulus = trace.stimuli[at]
    if (stimulus) yield encodeRecord(stimulus)
    if (trace.stimuli[at + 1]?.anchor) continue
    const next = trace.stimuli[at + 1]?.seq ?? Number.POSITIVE_INFINITY
    for (
      let view = trace.views[viewAt];
      view && view.cause < next && viewAt < views;
      view = trace.views[++viewAt]
    ) {
      if (options.views !== false) yield encodeRecord(view)
      const hash = rolling.add(view)
      if (hash) yield encodeRecord(hash)
    }
  }
  yield encodeRecord(rolling.record())
  yield encodeRecord({ line: 'end', stimuli, views })
}

/** What a replay has to know before the first stimulus: actors, the keyframe, and the tape. */
function* encodeOrigin(trace: ReplayableTrace): Generator<string> {
  for (const actor of trace.actors) yield encodeRecord(actor)
  for (const keyframe of trace.keyframes) yield encodeRecord(keyframe)
  for (const entry of trace.tape) yield encodeRecord(entry)
}

/** The part of a view that a replay must reproduce: all but its time. The same code gives the same order of keys. */
export function comparable(view: ViewRecord): string {
  const { t: _time, ...rest } = view
  return JSON.stringify(encodeValue(rest))
}

export interface RollingHash {
  /** Takes one more view; gives a record at every {@link HASH_EVERY}th. */
  add(view: ViewRecord): HashRecord | undefined
  /** The hashes as they are now. */
  record(): HashRecord
}

/** Hashes the views of every actor as they come. */
export function createRollingHash(): RollingHash {
  const actors: Record<string, string> = {}
  let count = 0
  const record = (): HashRecord => ({ line: 'hash', after: count, actors: { ...actors } })
  return {
    record,
    add(view) {
      actors[view.actor] = hashText(comparable(view), actors[view.actor])
      count += 1
      return count % HASH_EVERY === 0 ? record() : undefined
    },
  }
}

/** A whole file: gzipped lines. */
export async function encodeFile(
  trace: ReplayableTrace,
  options: EncodeOptions = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const lines = encodeLines(trace, options)
  const text = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      const chunk: string[] = []
      for (let next = lines.next(); !next.done; next = lines.next()) {
        chunk.push(next.value, '\n')
        if (chunk.length >= 2048) break
      }
      if (chunk.length === 0) controller.close()
      else controller.enqueue(new TextEncoder().encode(chunk.join('')))
    },
  })
  return new Uint8Array(await new Response(text.pipeThrough(new CompressionStream('gzip'))).arrayBuffer())
}
