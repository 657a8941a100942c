// Reading a trace file: gzip or plain, whole or damaged; keeps what is sound and reports the rest by line.
import { checkRecord } from './check.ts'
import { Collector } from './collect.ts'
import { decodeValue } from './codec.ts'
import type { Json } from './codec.ts'
import { FORMAT_VERSION } from './format.ts'
import type { Damage, ReplayableTrace, TraceHeader, TraceRecord } from './format.ts'

export type ReadResult =
  | { readonly kind: 'trace'; readonly trace: ReplayableTrace }
  | { readonly kind: 'unusable'; readonly reason: UnusableReason; readonly message: string }

export type UnusableReason = 'empty' | 'notATrace' | 'newerFormat' | 'tooLarge'

export interface ReadOptions {
  /** Largest size after unpacking, in bytes. */
  readonly maxBytes?: number
}

/** 256 MiB, over a million records: what an engine can still hold as one text. */
const MAX_BYTES = 2 ** 28

/** Reads a file's bytes, or text that is not packed. Never throws for what is in it. */
export async function readTrace(input: Uint8Array | string, options: ReadOptions = {}): Promise<ReadResult> {
  const maxBytes = options.maxBytes ?? MAX_BYTES
  const unpacked = typeof input === 'string' ? { text: input } : await unpack(input, maxBytes)
  if ('tooLarge' in unpacked || unpacked.text.length > maxBytes) {
    return unusable('tooLarge', `unpacks to more than ${maxBytes} bytes; it is not read`)
  }
  return readLines(unpacked.text, unpacked.cutShort)
}

function unusable(reason: UnusableReason, message: string): ReadResult {
  return { kind: 'unusable', reason, message }
}

type Unpacked = { readonly text: string; readonly cutShort?: string } | { readonly tooLarge: true }

async function unpack(bytes: Uint8Array, maxBytes: number): Promise<Unpacked> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return { text: new TextDecoder().decode(bytes) }
  const stream = new DecompressionStream('gzip')
  const parts: string[] = []
  const decoder = new TextDecoder()
  let size = 0
  let cutShort: string | undefined
  const reader = stream.readable.getReader()
  const reading = (async () => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      size += next.value.length
      if (size > maxBytes) {
        await reader.cancel()
        return
      }
      parts.push(decoder.decode(next.value, { stream: true }))
    }
  })().catch(() => {
    cutShort = 'the file is cut short or damaged: it could not be unpacked to its end'
  })
  await feed(stream.writable.getWriter(), bytes, reading)
  await reading
  if (size > maxBytes) return { tooLarge: true }
  return cutShort === undefined ? { text: parts.join('') } : { text: parts.join(''), cutShort }
}

/** Small pieces, so that what precedes a damaged place has been read when the stream fails there. */
async function feed(
  writer: WritableStreamDefaultWriter<BufferSource>,
  bytes: Uint8Array,
  reading: Promise<void>,
): Promise<void> {
  writer.closed.catch(() => undefined)
  try {
    for (let at = 0; at < bytes.length; at += 4096) {
      await Promise.race([writer.write(new Uint8Array(bytes.subarray(at, at + 4096))), reading])
      await Promise.race([writer.ready, reading])
    }
    await Promise.race([writer.close(), reading])
  } catch {
    // The reader meets the same failure and reports it.
  }
}

function readLines(text: string, cutShort: string | undefined): ReadResult {
  const lines = text.split('\n')
  const damage: Damage[] = []
  const first = lines[0] ?? ''
  if (text.trim() === '') return unusable('empty', cutShort ?? 'the file is empty')
  const header = readHeader(first)
  if ('reason' in header) return unusable(header.reason, header.message)
  const collector = new Collector(header.header, damage)
  lines.slice(1).forEach((line, at) => {
    if (line === '') return
    const parsed = readRecord(line)
    const wrong = 'record' in parsed ? collector.add(parsed.record) : parsed.wrong
    if (wrong !== undefined) damage.push({ atLine: at + 2, message: wrong })
  })
  if (cutShort !== undefined) damage.push({ atLine: lines.length, message: cutShort })
  return { kind: 'trace', trace: collector.finish(lines.length) }
}

type HeaderResult =
  { readonly header: TraceHeader } | { readonly reason: UnusableReason; readonly message: string }

function readHeader(line: string): HeaderResult {
  const parsed = readRecord(line)
  const raw: unknown = 'record' in parsed ? parsed.record : parsed.raw
  if (
    typeof raw !== 'object' ||
    raw === null ||
    !('line' in raw) ||
    raw.line !== 'header' ||
    !('format' in raw)
  ) {
    return { reason: 'notATrace', message: 'not a trace: the first line is no header' }
  }
  if (typeof raw.format === 'number' && raw.format > FORMAT_VERSION) {
    const message = `written by format ${raw.format}; this build reads up to ${FORMAT_VERSION}: update chartroom`
    return { reason: 'newerFormat', message }
  }
  if (!('record' in parsed) || parsed.record.line !== 'header' || parsed.record.format < 1) {
    return {
      reason: 'notATrace',
      message: `not a trace: the header ${'wrong' in parsed ? parsed.wrong : 'is damaged'}`,
    }
  }
  return { header: parsed.record }
}

type Parsed = { readonly record: TraceRecord } | { readonly wrong: string; readonly raw: unknown }

function readRecord(line: string): Parsed {
  let raw: unknown
  try {
    raw = decodeValue(JSON.parse(line) as Json)
  } catch (error) {
    return { wrong: error instanceof SyntaxError ? 'is not JSON' : String(error), raw: undefined }
  }
  const checked = checkRecord(raw)
  return 'record' in checked ? checked : { wrong: checked.wrong, raw }
}
