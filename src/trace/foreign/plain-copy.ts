// Copies untrusted data within limits: plain data and other values that structured clone supports.
import { ActorReference, Opaque, setOwn } from '../codec/values.ts'
import type { ForeignLimits } from './limits.ts'

/** Thrown when a message exceeds the limits. */
export class TooLarge extends Error {
  override name = 'TooLarge'
}

export interface PlainCopy {
  readonly value: unknown
  /** Approximate size in bytes. */
  readonly size: number
}

interface Copying {
  readonly limits: Pick<ForeignLimits, 'values' | 'depth'>
  readonly above: object[]
  values: number
  size: number
}

/**
 * Returns a copy that shares nothing with `raw`.
 * @throws TooLarge if it contains more values than allowed
 */
export function plainCopy(raw: unknown, limits: Pick<ForeignLimits, 'values' | 'depth'>): PlainCopy {
  const state: Copying = { limits, above: [], values: 0, size: 0 }
  const value = copy(raw, state)
  return { value, size: state.size }
}

function copy(raw: unknown, state: Copying): unknown {
  state.values += 1
  if (state.values > state.limits.values)
    throw new TooLarge(`contains more than ${state.limits.values.toLocaleString('en')} values`)
  state.size += 8
  if (typeof raw === 'string') {
    state.size += raw.length
    return raw
  }
  if (typeof raw === 'function') return new Opaque('function', raw.name)
  if (typeof raw === 'symbol') return new Opaque('symbol', raw.description ?? '')
  if (typeof raw !== 'object' || raw === null) return raw
  if (state.above.includes(raw)) return new Opaque('cycle')
  if (state.above.length >= state.limits.depth) return new Opaque('deep')
  state.above.push(raw)
  try {
    return copyObject(raw, state)
  } finally {
    state.above.pop()
  }
}

function copyObject(raw: object, state: Copying): unknown {
  if (Array.isArray(raw)) {
    // A sparse array may claim a large length.
    if (raw.length > state.limits.values) throw new TooLarge('holds a list that is too long')
    return Array.from(raw, item => copy(item, state))
  }
  if (raw instanceof Date) return new Date(raw)
  if (raw instanceof Map)
    return new Map(Array.from(raw, ([key, item]) => [copy(key, state), copy(item, state)] as const))
  if (raw instanceof Set) return new Set(Array.from(raw, item => copy(item, state)))
  if (raw instanceof Error) return { name: raw.name, message: raw.message }
  if (raw instanceof ArrayBuffer || ArrayBuffer.isView(raw)) return `${raw.byteLength} bytes`
  const { id } = raw as { readonly id?: unknown }
  // XState serializes an actor in a context like this.
  if (Object.hasOwn(raw, 'xstate$$type') && typeof id === 'string') return new ActorReference(id)
  const out: { [key: string]: unknown } = {}
  for (const key of Object.keys(raw)) {
    state.size += key.length
    setOwn(out, key, copy(Reflect.get(raw, key), state))
  }
  return out
}
