// Decodes CBOR as authenticators write it (CTAP2 canonical form): definite lengths, no tags, no fractions.

export type Cbor =
  number | boolean | null | string | Uint8Array | readonly Cbor[] | ReadonlyMap<number | string, Cbor>

export type CborMap = ReadonlyMap<number | string, Cbor>

export function isCborMap(value: Cbor | undefined): value is CborMap {
  return value instanceof Map
}

/** Deeper than any attestation. */
const DEEPEST = 8

/** @throws Error for anything but one complete value. */
export function decodeCbor(bytes: Uint8Array): Cbor {
  const { value, end } = decodeCborPrefix(bytes)
  if (end !== bytes.length) throw new Error('Bytes follow the CBOR value')
  return value
}

/** Decodes the value at the start of the bytes; `end` is the offset after it. @throws Error if it is malformed */
export function decodeCborPrefix(bytes: Uint8Array): { readonly value: Cbor; readonly end: number } {
  const reader = new Reader(bytes)
  return { value: reader.value(0), end: reader.offset }
}

const UNSIGNED = 0
const NEGATIVE = 1
const BYTES = 2
const TEXT = 3
const ARRAY = 4
const MAP = 5
const SIMPLE = 7

const SIMPLE_VALUES: Readonly<Record<number, boolean | null>> = { 20: false, 21: true, 22: null }

class Reader {
  offset = 0
  readonly #bytes: Uint8Array
  readonly #view: DataView

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  value(depth: number): Cbor {
    if (depth > DEEPEST) throw new Error('The CBOR value is nested too deeply')
    const [head = 0] = this.#take(1)
    const major = head >> 5
    if (major === SIMPLE) return simpleValue(head & 0x1f)
    const argument = this.#argument(head & 0x1f)
    if (major === UNSIGNED) return argument
    if (major === NEGATIVE) return -1 - argument
    if (major === BYTES) return this.#take(argument).slice()
    if (major === TEXT) return new TextDecoder('utf-8', { fatal: true }).decode(this.#take(argument))
    if (major === ARRAY) return Array.from({ length: this.#count(argument) }, () => this.value(depth + 1))
    if (major === MAP) return this.#map(this.#count(argument), depth + 1)
    throw new Error('CBOR tags are not supported')
  }

  #map(count: number, depth: number): Map<number | string, Cbor> {
    const map = new Map<number | string, Cbor>()
    for (let index = 0; index < count; index += 1) {
      const key = this.value(depth)
      if (typeof key !== 'number' && typeof key !== 'string') throw new Error('A CBOR key must be simple')
      if (map.has(key)) throw new Error('A CBOR key occurs twice')
      map.set(key, this.value(depth))
    }
    return map
  }

  /** Every item takes at least one byte, so a larger count is wrong and must not allocate. */
  #count(count: number): number {
    if (count > this.#bytes.length - this.offset) throw new Error('The CBOR value is cut off')
    return count
  }

  #argument(info: number): number {
    if (info < 24) return info
    const at = this.offset
    if (info === 24) return this.#take(1)[0] ?? 0
    if (info === 25) return this.#take(2) && this.#view.getUint16(at)
    if (info === 26) return this.#take(4) && this.#view.getUint32(at)
    throw new Error('CBOR numbers of this size are not supported')
  }

  #take(length: number): Uint8Array {
    if (length > this.#bytes.length - this.offset) throw new Error('The CBOR value is cut off')
    this.offset += length
    return this.#bytes.subarray(this.offset - length, this.offset)
  }
}

function simpleValue(info: number): boolean | null {
  const value = SIMPLE_VALUES[info]
  if (value === undefined) throw new Error('CBOR values of this type are not supported')
  return value
}
