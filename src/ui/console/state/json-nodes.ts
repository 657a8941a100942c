// Describes any value on one line and lists its members, so that huge values can be browsed.
import { ActorReference, errorExtras, isStandIn, Opaque, webText } from '../../../trace/index.ts'
import { count } from '../text.ts'

/** Characters of a text that are shown initially. */
export const TEXT_SHOWN = 240
/** Bytes of a binary value that are shown. */
const BYTES_SHOWN = 16

export type ValueKind =
  'text' | 'number' | 'word' | 'list' | 'record' | 'date' | 'error' | 'bytes' | 'actor' | 'secret'

/** A value as one line of a tree. */
export interface ValueNode {
  readonly kind: ValueKind
  /** The value, or a short description of its content. */
  readonly preview: string
  /** Number of members; 0 for plain values. */
  readonly size: number
}

const leaf = (kind: ValueKind, preview: string): ValueNode => ({ kind, preview, size: 0 })

/** Describes a value without visiting its members. */
export function describe(value: unknown): ValueNode {
  switch (typeof value) {
    case 'string':
      return isStandIn(value)
        ? leaf('secret', `redacted ${value.replace(/^.*[:-]|\]$/gs, '')}`)
        : leaf('text', quoted(value))
    case 'number':
      return leaf('number', Object.is(value, -0) ? '-0' : String(value))
    case 'bigint':
      return leaf('number', `${cut(String(value), 60)}n`)
    case 'object':
      return value === null ? leaf('word', 'null') : describeObject(value)
    default:
      return leaf('word', String(value))
  }
}

function describeObject(value: object): ValueNode {
  if (Array.isArray(value))
    return {
      kind: 'list',
      preview: `${count(value.length)} item${value.length === 1 ? '' : 's'}`,
      size: value.length,
    }
  if (value instanceof Date)
    return leaf('date', Number.isNaN(value.getTime()) ? 'invalid date' : value.toISOString())
  if (value instanceof ActorReference) return leaf('actor', `actor ${value.path}`)
  if (value instanceof Opaque) return leaf('word', `${value.kind} ${value.name}`.trim())
  if (value instanceof Error) {
    const preview = cut(`${value.name}: ${value.message}`, TEXT_SHOWN)
    return { kind: 'error', preview, size: membersOf(value).keys.length }
  }
  if (value instanceof Map || value instanceof Set) {
    const name = value instanceof Map ? 'Map' : 'Set'
    return { kind: 'record', preview: `${name} of ${count(value.size)}`, size: value.size }
  }
  const web = webText(value)
  if (web !== undefined) return leaf('word', cut(web, TEXT_SHOWN))
  const bytes = bytesOf(value)
  if (bytes) return leaf('bytes', bytesPreview(value, bytes))
  const { keys } = membersOf(value)
  return { kind: 'record', preview: recordPreview(keys), size: keys.length }
}

/** A fraction with more digits than are useful, such as a time in picoseconds; shortened in rows. */
const LONG_FRACTION = /^(-?\d+\.\d{3})\d{2,}$/

/**
 * Returns the text of a value in a row with others. Long fractions are shortened; the full value is shown
 * elsewhere.
 */
export const inRow = ({ kind, preview }: ValueNode): string =>
  kind === 'number' ? preview.replace(LONG_FRACTION, '$1…') : preview

/** Quotes a text; a long one is cut, with the number of omitted characters. */
export function quoted(text: string, shown = TEXT_SHOWN): string {
  if (text.length <= shown) return JSON.stringify(text)
  return `${JSON.stringify(text.slice(0, shown))} +${count(text.length - shown)} characters`
}

const cut = (text: string, shown: number): string =>
  text.length <= shown ? text : `${text.slice(0, shown)}…`

function recordPreview(keys: readonly string[]): string {
  if (keys.length === 0) return '{}'
  const shown = keys.slice(0, 4).join(', ')
  return keys.length > 4 ? `{${shown}, +${count(keys.length - 4)}}` : `{${shown}}`
}

/** Returns the bytes of a binary value. */
export function bytesOf(value: object): Uint8Array | undefined {
  if (value instanceof ArrayBuffer) return new Uint8Array(value)
  return ArrayBuffer.isView(value)
    ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
    : undefined
}

function bytesPreview(value: object, bytes: Uint8Array): string {
  const shown = Array.from(bytes.subarray(0, BYTES_SHOWN), byte => byte.toString(16).padStart(2, '0'))
  const rest = bytes.length > BYTES_SHOWN ? ' …' : ''
  return `${value.constructor.name}, ${count(bytes.length)} bytes: ${shown.join(' ')}${rest}`
}

/** A value's members by name. */
export interface Members {
  readonly keys: readonly string[]
  readonly get: (key: string) => unknown
}

/** Members of large values are cached: listing them again for each row is slow. */
const LARGE = 1_000
const large = new WeakMap<object, Members>()

const NO_MEMBERS: Members = { keys: [], get: () => undefined }

/**
 * Returns a value's members; none for a plain one. Members of sets, and of maps with unusual keys, are named
 * by position.
 */
export function membersOf(value: unknown): Members {
  if (typeof value !== 'object' || value === null) return NO_MEMBERS
  const known = large.get(value)
  if (known) return known
  const members = listMembers(value)
  if (members.keys.length >= LARGE) large.set(value, members)
  return members
}

function listMembers(value: object): Members {
  if (Array.isArray(value))
    return { keys: Array.from(value, (_, at) => String(at)), get: key => (value as unknown[])[Number(key)] }
  if (value instanceof Map)
    return named(
      [...value].map(([key, item], at) => [typeof key === 'object' ? `key ${at}` : String(key), item]),
    )
  if (value instanceof Set) return named([...value].map((item, at) => [String(at), item]))
  if (value instanceof Error) return named(errorMembers(value))
  if (isPlainLeaf(value)) return NO_MEMBERS
  return { keys: Object.keys(value), get: key => Reflect.get(value, key) as unknown }
}

/** Whether an object is shown and compared as a whole. */
export const isPlainLeaf = (value: object): boolean =>
  value instanceof Date ||
  webText(value) !== undefined ||
  value instanceof ActorReference ||
  value instanceof Opaque ||
  value instanceof ArrayBuffer ||
  ArrayBuffer.isView(value)

function errorMembers(error: Error): [string, unknown][] {
  const cause: [string, unknown][] = Object.hasOwn(error, 'cause') ? [['cause', error.cause]] : []
  return [['name', error.name], ['message', error.message], ...cause, ...errorExtras(error)]
}

function named(entries: readonly (readonly [string, unknown])[]): Members {
  const known = new Map(entries)
  return { keys: [...known.keys()], get: key => known.get(key) }
}
