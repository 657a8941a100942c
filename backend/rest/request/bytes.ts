// Text of bytes, and the encoding of forms and queries.
const encoder = new TextEncoder()
const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const lenientDecoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** @returns `undefined` if the bytes are not UTF-8. */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return strictDecoder.decode(bytes)
  } catch {
    return undefined
  }
}

/** A header's value, whose characters are bytes; replaces what is not UTF-8. */
export function decodeHeader(value: string): string {
  return isAscii(value) ? value : lenientDecoder.decode(Uint8Array.from(value, byte => byte.charCodeAt(0)))
}

/** The characters of a header's value, which are bytes of UTF-8. */
export const encodeHeader = (text: string): string => Buffer.from(text).toString('latin1')

/** A segment of a path; replaces what is not UTF-8. */
export const decodeSegment = (segment: string): string =>
  lenientDecoder.decode(decodePercent(encoder.encode(segment), false))

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 0x7f) return false
  return true
}

/** A name, and its value if an equals sign follows it. */
export type Pair = readonly [name: string, value: string | undefined]

export const encodeText = (text: string): Uint8Array => encoder.encode(text)

const QUESTION_MARK = 0x3f
const EQUALS = 0x3d
const PLUS = 0x2b
const PERCENT = 0x25
const SPACE = 0x20
const LOWER_CASE = 0x20

const isSeparator = (byte: number): boolean => byte === 0x26 || byte === 0x3b

/**
 * Pairs of a query or a form, separated by ampersands or semicolons; a question mark may precede them.
 *
 * @returns `undefined` if one is not UTF-8.
 */
export function decodePairs(bytes: Uint8Array): readonly Pair[] | undefined {
  const pairs: Pair[] = []
  let start = bytes[0] === QUESTION_MARK ? 1 : 0
  while (start < bytes.length) {
    let end = start
    while (end < bytes.length && !isSeparator(bytes[end] ?? 0)) end++
    const pair = decodePair(bytes.subarray(start, end))
    if (pair === undefined) return undefined
    pairs.push(pair)
    start = end + 1
  }
  return pairs
}

function decodePair(bytes: Uint8Array): Pair | undefined {
  const index = bytes.indexOf(EQUALS)
  const name = decodeText(decodePercent(index < 0 ? bytes : bytes.subarray(0, index), true))
  const value = index < 0 ? '' : decodeText(decodePercent(bytes.subarray(index + 1), true))
  if (name === undefined || value === undefined) return undefined
  return [name, index < 0 ? undefined : value]
}

/** Leaves percent signs alone that two hexadecimal digits do not follow. */
function decodePercent(bytes: Uint8Array, hasPlusAsSpace: boolean): Uint8Array {
  if (!bytes.includes(PERCENT) && !(hasPlusAsSpace && bytes.includes(PLUS))) return bytes
  const decoded = new Uint8Array(bytes.length)
  let length = 0
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0
    const escaped = byte === PERCENT ? hexByte(bytes[index + 1], bytes[index + 2]) : undefined
    if (escaped !== undefined) index += 2
    decoded[length++] = escaped ?? (byte === PLUS && hasPlusAsSpace ? SPACE : byte)
  }
  return decoded.subarray(0, length)
}

function hexByte(high: number | undefined, low: number | undefined): number | undefined {
  const first = hexDigit(high)
  const second = hexDigit(low)
  return first === undefined || second === undefined ? undefined : first * 16 + second
}

function hexDigit(byte: number | undefined): number | undefined {
  if (byte === undefined) return undefined
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | LOWER_CASE
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x61 + 10 : undefined
}

/**
 * Pairs sorted by their names, encoded; values of a name are joined by commas.
 * Bytes beyond ASCII are encoded twice, as PostgREST does.
 */
export function encodePairs(pairs: readonly Pair[]): string {
  const values = new Map<string, string[]>()
  for (const [name, value = ''] of pairs) {
    const list = values.get(name)
    if (list) list.push(encodePart(value))
    else values.set(name, [encodePart(value)])
  }
  const sorted = [...values].toSorted(([first], [second]) => (first < second ? -1 : 1))
  return sorted.map(([name, list]) => `${encodePart(name)}=${list.join(',')}`).join('&')
}

const encodePart = (text: string): string =>
  encodeURIComponent(text)
    .replaceAll(/[!'()*]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll(/%[89A-F][\dA-F]/g, byte =>
      encodeURIComponent(String.fromCharCode(Number.parseInt(byte.slice(1), 16))),
    )
