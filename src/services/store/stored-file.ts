// A stored recording as a trace file: its segments joined, and ended where the writer came to.
import { readTrace } from '../../trace/decode.ts'
import { encodeFile, MEMBER_TEXT } from '../../trace/encode.ts'
import type { EndRecord } from '../../trace/format.ts'
import { packLines } from '../../trace/gzip.ts'
import { joinTraces, type Part } from '../../trace/join.ts'
import type { Card, StoredSegment } from './shelf.ts'

/** The recording as a gzipped file. A segment holds whole steps, so that one which was cut off is sound as it is. */
export async function toFile(card: Card, read: (segment: number) => Promise<string>): Promise<Blob> {
  const { segments } = card
  const [first] = segments
  if (!first) return fileOf([])
  const whole = async (segment: StoredSegment) => `${await read(segment.number)}${endLine(segment)}`
  if (segments.length === 1) return fileOf(await members(await whole(first)))
  let parts: Part[] = []
  for (const segment of segments) {
    const result = await readTrace(await whole(segment))
    // What comes before a segment that can't be read does not lead up to what comes after it.
    if (result.kind === 'unusable') parts = []
    else parts.push({ trace: result.trace, at: segment.at - first.at })
  }
  const [begin, ...rest] = parts
  return fileOf(begin ? [await encodeFile(joinTraces([begin, ...rest]))] : [])
}

const fileOf = (bytes: Uint8Array<ArrayBuffer>[]) => new Blob(bytes, { type: 'application/gzip' })

/** Every sound part has one; it says how much there should be. */
function endLine({ stimuli, views }: StoredSegment): string {
  const end: EndRecord = { line: 'end', stimuli, views }
  return `${JSON.stringify(end)}\n`
}

/** Lines in pieces that can be opened one by one. */
async function members(text: string): Promise<Uint8Array<ArrayBuffer>[]> {
  const packed: Uint8Array<ArrayBuffer>[] = []
  for (let at = 0; at < text.length;) {
    const end = text.indexOf('\n', at + MEMBER_TEXT) + 1 || text.length
    packed.push(await packLines(text.slice(at, end).split('\n').filter(Boolean)))
    at = end
  }
  return packed
}
