// Builds a trace file from a stored recording by joining its segments.
import {
  encodeFile,
  type EndRecord,
  joinTraces,
  MEMBER_TEXT,
  packLines,
  type Part,
  readTrace,
} from '../../../trace/index.ts'
import type { RecordingEntry, StoredSegment } from './recording-storage.ts'

/**
 * Returns the recording as a gzipped file. Segments contain complete steps, so an interrupted segment is
 * valid.
 */
export async function toFile(
  card: RecordingEntry,
  read: (segment: number) => Promise<string>,
): Promise<Blob> {
  const { segments } = card
  const [first] = segments
  if (!first) return fileOf([])
  const whole = async (segment: StoredSegment) => `${await read(segment.number)}${endLine(segment)}`
  if (segments.length === 1) return fileOf(await members(await whole(first)))
  let parts: Part[] = []
  for (const segment of segments) {
    const result = await readTrace(await whole(segment))
    // The state after an unreadable segment does not follow from the parts before it.
    if (result.kind === 'unusable') parts = []
    else parts.push({ trace: result.trace, at: segment.at - first.at })
  }
  const [begin, ...rest] = parts
  return fileOf(begin ? [await encodeFile(joinTraces([begin, ...rest]))] : [])
}

const fileOf = (bytes: Uint8Array<ArrayBuffer>[]) => new Blob(bytes, { type: 'application/gzip' })

/** Every valid part has an end line with the number of records. */
function endLine({ stimuli, steps }: StoredSegment): string {
  const end: EndRecord = { line: 'end', stimuli, steps }
  return `${JSON.stringify(end)}\n`
}

/** Compresses lines in members that can be opened separately. */
async function members(text: string): Promise<Uint8Array<ArrayBuffer>[]> {
  const packed: Uint8Array<ArrayBuffer>[] = []
  for (let at = 0; at < text.length;) {
    const end = text.indexOf('\n', at + MEMBER_TEXT) + 1 || text.length
    packed.push(await packLines(text.slice(at, end).split('\n').filter(Boolean)))
    at = end
  }
  return packed
}
