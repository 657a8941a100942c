// Parses user metadata as text and compares it with the server's version.

export type Metadata = Readonly<Record<string, unknown>>

export type ParsedMetadata =
  { readonly ok: true; readonly value: Metadata } | { readonly ok: false; readonly problem: string }

export const metadataText = (value: Metadata): string => JSON.stringify(value, null, 2)

/** Line and column of a parser error, counted from 1. */
const placeOf = (text: string, message: string): string => {
  const position = /position (\d+)/.exec(message)?.[1]
  if (position === undefined) return ''
  const before = text.slice(0, Number(position)).split('\n')
  return ` in line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`
}

const hasInexact = (value: unknown): boolean => {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some(hasInexact)
}

/** Parses the text as a JSON object. */
export const parseMetadata = (text: string): ParsedMetadata => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const place = placeOf(text, error instanceof Error ? error.message : '')
    return { ok: false, problem: `Invalid JSON${place || ' at the end'}.` }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { ok: false, problem: 'Metadata must be a JSON object: { … }.' }
  if (hasInexact(value))
    return {
      ok: false,
      problem: 'Whole numbers with more than 15 digits would lose precision. Write them as text, in quotes.',
    }
  return { ok: true, value: value as Metadata }
}

export interface MetadataChange {
  readonly set: readonly string[]
  readonly removed: readonly string[]
  /** The change to send: a server merges it and treats null as a removal. */
  readonly data: Readonly<Record<string, unknown>>
}

const isAlike = (a: unknown, b: unknown): boolean => {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [left, right] = [Object.entries(a), new Map<string, unknown>(Object.entries(b))]
  return (
    left.length === right.size &&
    left.every(([name, item]) => right.has(name) && isAlike(item, right.get(name)))
  )
}

/** The change that turns the server's version into `wanted`. */
export const metadataChange = (present: Metadata, desired: Metadata): MetadataChange => {
  const set = Object.keys(desired).filter(
    name =>
      desired[name] !== null && !(Object.hasOwn(present, name) && isAlike(present[name], desired[name])),
  )
  const removed = Object.keys(present).filter(
    name => !Object.hasOwn(desired, name) || (desired[name] === null && present[name] !== null),
  )
  return {
    set,
    removed,
    data: Object.fromEntries([
      ...set.map(name => [name, desired[name]] as const),
      ...removed.map(name => [name, null] as const),
    ]),
  }
}

/** Top-level nulls, which a server treats as removals. */
export const nullsIn = (value: Metadata): readonly string[] =>
  Object.keys(value).filter(name => value[name] === null)
