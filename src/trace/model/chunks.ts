// The lines of a file in packed chunks: unpacked on demand, the most recent kept in memory.
import type { TraceRecord } from '../format/records.ts'
import { recordOf } from '../read/record-reader.ts'
import type { ByteSource, Place, Unpack } from '../read/unpack.ts'

/** Some lines of the file. */
export interface Chunk {
  /** Their location: a part of the file, or repacked bytes. */
  readonly at: Place | Uint8Array<ArrayBuffer>
  /** Number of earlier records of each kind. */
  readonly steps: number
  readonly stimuli: number
  readonly tape: number
  readonly keyframes: number
  /** Lines that are not valid records, counted from 0. */
  readonly damaged?: ReadonlySet<number>
}

type Seen = 'step' | 'stimulus' | 'tape' | 'keyframe'

const BREAK = 0x0a

// Created when needed: not every engine has one, and not every client records.
let decoder: TextDecoder | undefined
const textOf = (bytes: Uint8Array) => (decoder ??= new TextDecoder()).decode(bytes)

/**
 * An unpacked chunk. It stays in bytes: text would take twice the memory, and hardly any of it is ever read.
 */
export class OpenChunk {
  readonly size: number
  readonly #bytes: Uint8Array
  readonly #format: number
  /** Line starts by kind and number. */
  readonly #lines: Readonly<Record<Seen, Map<number, number>>> = {
    step: new Map(),
    stimulus: new Map(),
    tape: new Map(),
    keyframe: new Map(),
  }

  constructor(bytes: Uint8Array, chunk: Chunk, format: number) {
    this.#bytes = bytes
    this.#format = format
    this.size = bytes.length
    const next = { tape: chunk.tape, keyframe: chunk.keyframes }
    for (let [from, line] = [0, 0]; from < bytes.length; line++) {
      const end = this.#endOf(from)
      if (end - from > 1 && chunk.damaged?.has(line) !== true) {
        const { kind, seq } = headOf(bytes, from, end)
        if (kind === 'tape' || kind === 'keyframe') this.#lines[kind].set(next[kind]++, from)
        else if ((kind === 'step' || kind === 'stimulus') && seq !== undefined)
          this.#lines[kind].set(seq, from)
      }
      from = end + 1
    }
  }

  /** Returns the record with this number; undefined if its line was lost. */
  record(kind: Seen, number: number): TraceRecord | undefined {
    const from = this.#lines[kind].get(number)
    if (from === undefined) return undefined
    return recordOf(textOf(this.#bytes.subarray(from, this.#endOf(from))), this.#format)
  }

  #endOf(from: number): number {
    const found = this.#bytes.indexOf(BREAK, from)
    return found < 0 ? this.#bytes.length : found
  }
}

interface Head {
  readonly kind?: string | undefined
  readonly seq?: number | undefined
}

const NUMBERED =
  /^\{"line":"(?:(step|stimulus)","seq":(\d+)[,}]|(tape|keyframe|actor|hash|bookmark|end|header)")/

/** Longer than any such line start. */
const LONGEST_HEAD = 48

/** Reads the record kind of a line, and its number if it has one. */
function headOf(bytes: Uint8Array, from: number, end: number): Head {
  const found = NUMBERED.exec(textOf(bytes.subarray(from, Math.min(end, from + LONGEST_HEAD))))
  if (found?.[1] !== undefined) return { kind: found[1], seq: Number(found[2]) }
  if (found) return { kind: found[3] }
  // The keys are in another order, from another writer.
  const { line, seq } = JSON.parse(textOf(bytes.subarray(from, end))) as {
    readonly line: string
    readonly seq?: number
  }
  return { kind: line, seq }
}

/** Bytes of text kept unpacked: some tens of chunks. */
const MAX_OPEN = 2 ** 22

interface CachedChunk {
  readonly value: Promise<OpenChunk>
  /** 0 while it is being unpacked. */
  size: number
}

/** Unpacks chunks and keeps the most recent. */
export class ChunkCache {
  readonly #open = new Map<Chunk, CachedChunk>()
  readonly #format: number
  readonly #source: ByteSource
  readonly #unpack: Unpack
  #size = 0

  constructor(source: ByteSource, unpack: Unpack, format: number) {
    this.#source = source
    this.#unpack = unpack
    this.#format = format
  }

  /** Returns a chunk unpacked. Rejects if the file has changed. */
  open(chunk: Chunk): Promise<OpenChunk> {
    const known = this.#open.get(chunk)
    const entry = known ?? { value: this.#read(chunk), size: 0 }
    // The most recent come last.
    this.#open.delete(chunk)
    this.#open.set(chunk, entry)
    if (!known) void this.#keep(chunk, entry)
    return entry.value
  }

  async #read(chunk: Chunk): Promise<OpenChunk> {
    const { at } = chunk
    const bytes = at instanceof Uint8Array ? at : await this.#source.read(at.from, at.to)
    const isPacked = at instanceof Uint8Array || at.packed
    return new OpenChunk(isPacked ? await this.#unpack(bytes) : bytes, chunk, this.#format)
  }

  async #keep(chunk: Chunk, entry: CachedChunk): Promise<void> {
    try {
      entry.size = (await entry.value).size
      this.#size += entry.size
    } catch {
      this.#open.delete(chunk)
    }
    for (const [oldest, { size }] of this.#open) {
      if (this.#size <= MAX_OPEN || this.#open.size <= 1) break
      if (size === 0) continue
      this.#open.delete(oldest)
      this.#size -= size
    }
  }
}
