// A stored recording as a trace file: its segments joined, and ended where the writer came to.
import { readTrace } from '../../trace/decode.ts'
import { encodeFile } from '../../trace/encode.ts'
import type { EndRecord } from '../../trace/format.ts'
import { joinTraces, type Part } from '../../trace/join.ts'
import type { Card } from './shelf.ts'

/** The recording as a gzipped file. A segment holds whole steps, so that one which was cut off is sound as it is. */
export async function toFile(card: Card, read: (segment: number) => Promise<string>): Promise<Blob> {
  const { segments } = card
  const [only] = segments
  if (only && segments.length === 1) {
    const { stimuli, views } = only
    const text = await read(only.number)
    return packed(`${text}${endLine({ line: 'end', stimuli, views })}`)
  }
  const parts: Part[] = []
  for (const { number, at, stimuli, views } of segments) {
    const text = await read(number)
    const end = endLine({ line: 'end', stimuli, views })
    const result = await readTrace(`${text}${end}`)
    if (result.kind === 'trace') parts.push({ trace: result.trace, at: at - (segments[0]?.at ?? 0) })
  }
  const [first, ...rest] = parts
  const bytes = first ? await encodeFile(joinTraces([first, ...rest])) : new Uint8Array()
  return new Blob([bytes], { type: 'application/gzip' })
}

/** Every sound part has one; it says how much there should be. */
function endLine(end: EndRecord): string {
  return `${JSON.stringify(end)}\n`
}

async function packed(text: string): Promise<Blob> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))
  return new Blob([await new Response(stream).arrayBuffer()], { type: 'application/gzip' })
}
