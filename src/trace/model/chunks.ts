// The lines of a file in packed chunks: opened when they are asked for, the latest kept open.
import type { TraceRecord } from '../format.ts'
import { recordOf } from '../intake.ts'
import type { ByteSource } from '../source.ts'
import type { Place, Unpack } from '../unpack.ts'

/** Some lines of the file. */
export interface Chunk {
  /** Where they are: a part of the file, or packed anew. */
  readonly at: Place | Uint8Array<ArrayBuffer>
  /** How many records of each kind stand before. */
  readonly views: number
  readonly stimuli: number
  readonly tape: number
  readonly keyframes: number
  /** Lines of it that are no record, counted from 0. */
  readonly damaged?: ReadonlySet<number>
}

type Seen = 'view' | 'stimulus' | 'tape' | 'keyframe'

/** A chunk that was opened. */
export class OpenChunk {
  readonly size: number
  readonly #text: string
  readonly #format: number
  readonly #lines = new Map<string, [from: number, to: number]>()

  constructor(text: string, chunk: Chunk, format: number) {
    this.#text = text
    this.#format = format
    this.size = text.length
    let [line, { tape, keyframes }] = [0, chunk]
    for (let from = 0; from < text.length; line++) {
      const found = text.indexOf('\n', from)
      const end = found < 0 ? text.length : found
      if (end - from > 1 && chunk.damaged?.has(line) !== true) {
        const kind = kindOf(text, from, end)
        if (kind === 'tape') this.#lines.set(`tape ${tape++}`, [from, end])
        else if (kind === 'keyframe') this.#lines.set(`keyframe ${keyframes++}`, [from, end])
        else if (kind !== undefined) this.#lines.set(kind, [from, end])
      }
      from = end + 1
    }
  }

  /** The record of this number; nothing when its line was lost. */
  record(kind: Seen, number: number): TraceRecord | undefined {
    const line = this.#lines.get(`${kind} ${number}`)
    return line && recordOf(this.#text.slice(...line), this.#format)
  }
}

const HEAD =
  /\{"line":"(?:(view|stimulus)","seq":(\d+)[,}]|(tape|keyframe)"|(?:actor|hash|bookmark|end|header)")/y

/** Numbered kinds with their number; nothing for the others. */
function kindOf(text: string, from: number, end: number): string | undefined {
  HEAD.lastIndex = from
  const found = HEAD.exec(text)
  if (found) return found[1] === undefined ? found[3] : `${found[1]} ${found[2]}`
  // Somebody else's order of keys.
  const { line, seq } = JSON.parse(text.slice(from, end)) as { line: string; seq?: number }
  return seq === undefined ? line : `${line} ${seq}`
}

/** Characters of text that stay open: some tens of chunks. */
const MAX_OPEN = 2 ** 22

/** Opens chunks and keeps the latest. */
export class ChunkCache<T extends { readonly size: number }> {
  readonly #open = new Map<object, { readonly value: Promise<T>; size: number }>()
  readonly #make: (text: string, key: object) => T
  readonly #source: ByteSource
  readonly #unpack: Unpack
  #size = 0

  constructor(source: ByteSource, unpack: Unpack, make: (text: string, key: object) => T) {
    this.#source = source
    this.#unpack = unpack
    this.#make = make
  }

  /** What was made of the text there. Rejects when the file is not any more what it was. */
  open(key: object, at: Place | Uint8Array<ArrayBuffer>): Promise<T> {
    const known = this.#open.get(key)
    const entry = known ?? { value: this.#read(key, at), size: 0 }
    // The latest stand last.
    this.#open.delete(key)
    this.#open.set(key, entry)
    if (!known) void this.#keep(key, entry)
    return entry.value
  }

  async #read(key: object, at: Place | Uint8Array<ArrayBuffer>): Promise<T> {
    const bytes = at instanceof Uint8Array ? at : await this.#source.read(at.from, at.to)
    const isPacked = at instanceof Uint8Array || at.packed
    return this.#make(new TextDecoder().decode(isPacked ? await this.#unpack(bytes) : bytes), key)
  }

  async #keep(key: object, entry: { readonly value: Promise<T>; size: number }): Promise<void> {
    try {
      entry.size = (await entry.value).size
      this.#size += entry.size
    } catch {
      this.#open.delete(key)
    }
    for (const [oldest, { size }] of this.#open) {
      if (this.#size <= MAX_OPEN || this.#open.size <= 1) break
      // One that is being opened has no size yet.
      if (size === 0) continue
      this.#open.delete(oldest)
      this.#size -= size
    }
  }
}
