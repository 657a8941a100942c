// Describes any value in bounded pieces, so that huge ones can be looked at.
import { ActorReference, Opaque } from '../../trace/values.ts'

/** How much of a text is shown at first. */
const TEXT_SHOWN = 240
/** How many entries of a list or record are shown at first. */
export const ENTRIES_SHOWN = 100

/** A value as one line of a tree. */
export interface ValueNode {
  readonly kind: 'text' | 'number' | 'word' | 'list' | 'record'
  /** The value, or what it holds in a few words. */
  readonly preview: string
  /** How many entries it has; 0 for plain values. */
  readonly size: number
}

/** Describes a value without walking into it. */
export function describe(value: unknown): ValueNode {
  if (typeof value === 'string') return { kind: 'text', preview: quoted(value), size: 0 }
  if (typeof value === 'number' || typeof value === 'bigint') {
    return { kind: 'number', preview: String(value), size: 0 }
  }
  if (Array.isArray(value)) return { kind: 'list', preview: `${value.length} items`, size: value.length }
  if (value instanceof Date) return { kind: 'word', preview: value.toISOString(), size: 0 }
  if (value instanceof Error) return { kind: 'word', preview: `${value.name}: ${value.message}`, size: 0 }
  if (value instanceof ActorReference) return { kind: 'word', preview: `actor ${value.path}`, size: 0 }
  if (value instanceof Opaque) return { kind: 'word', preview: `${value.kind} ${value.name}`.trim(), size: 0 }
  if (value instanceof Map || value instanceof Set) {
    const name = value instanceof Map ? 'Map' : 'Set'
    return { kind: 'record', preview: `${name} of ${value.size}`, size: value.size }
  }
  if (typeof value === 'object' && value !== null) {
    const keys = Object.keys(value)
    return { kind: 'record', preview: recordPreview(keys), size: keys.length }
  }
  return { kind: 'word', preview: String(value), size: 0 }
}

/** A text in quotes, cut with the number of characters left out. */
export function quoted(text: string, shown = TEXT_SHOWN): string {
  if (text.length <= shown) return JSON.stringify(text)
  return `${JSON.stringify(text.slice(0, shown))} +${text.length - shown} characters`
}

function recordPreview(keys: readonly string[]): string {
  if (keys.length === 0) return '{}'
  const shown = keys.slice(0, 4).join(', ')
  return keys.length > 4 ? `{${shown}, +${keys.length - 4}}` : `{${shown}}`
}

/** The first entries of a list or record. */
export function entriesOf(value: unknown, limit: number): readonly (readonly [string, unknown])[] {
  if (Array.isArray(value)) return value.slice(0, limit).map((item: unknown, at) => [String(at), item])
  if (value instanceof Map) return [...value].slice(0, limit).map(([key, item]) => [String(key), item])
  if (value instanceof Set) return [...value].slice(0, limit).map((item, at) => [String(at), item])
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).slice(0, limit)
}
