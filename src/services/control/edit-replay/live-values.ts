// Values of a drive as values of the live system: with its actors and secrets, and its own objects where nothing differs.
import type { AnyActorRef } from 'xstate'
import { encodeCompact, isEqual, isPlain, setOwn } from '../../../trace/index.ts'
import { isActor } from '../../recording/index.ts'

/** How values of a drive become live. */
export interface LiveValues {
  /** Returns the live actor in the place of one of the drive. */
  readonly actor: (driven: AnyActorRef) => AnyActorRef | undefined
  /** Secrets by the pseudonyms in the recording, from which the drive got them. */
  readonly secrets: ReadonlyMap<string, string>
}

/** Returns a copy of a driven value; objects that need no change stay as they are. */
export function liveValue(value: unknown, live: LiveValues, copies = new Map<object, unknown>()): unknown {
  if (typeof value === 'string') return withSecrets(value, live.secrets)
  if (typeof value !== 'object' || value === null) return value
  if (isActor(value)) return live.actor(value) ?? value
  const known = copies.get(value)
  if (known !== undefined) return known
  if (value instanceof Map) {
    const map = new Map<unknown, unknown>()
    copies.set(value, map)
    for (const [key, item] of value) map.set(liveValue(key, live, copies), liveValue(item, live, copies))
    return map
  }
  if (value instanceof Set) {
    const set = new Set<unknown>()
    copies.set(value, set)
    for (const item of value) set.add(liveValue(item, live, copies))
    return set
  }
  if (!Array.isArray(value) && !isPlain(value)) return value
  const copy: { [key: string]: unknown } | unknown[] = Array.isArray(value) ? [] : {}
  copies.set(value, copy)
  for (const [key, item] of Object.entries(value))
    setOwn(copy as { [key: string]: unknown }, key, liveValue(item, live, copies))
  return copy
}

function withSecrets(text: string, secrets: ReadonlyMap<string, string>): string {
  const known = secrets.get(text)
  if (known !== undefined) return known
  let result = text
  for (const [pseudonym, secret] of secrets) result = result.replaceAll(pseudonym, secret)
  return result
}

/** A value of the drive, its recorded form, that of the live value, and the live value. */
export interface Merging {
  readonly driven: unknown
  readonly is: unknown
  readonly was: unknown
  readonly now: unknown
}

/** Returns the live value wherever the drive has the same, and a copy of the driven one elsewhere. */
export function merged({ driven, is, was: mergedValue, now }: Merging, live: LiveValues): unknown {
  if (isSame(is, mergedValue)) return now
  if (![driven, is, mergedValue, now].every(isFields)) return liveValue(driven, live)
  const [theirs, plain, before, mine] = [driven, is, mergedValue, now] as Record<string, unknown>[]
  const out: { [key: string]: unknown } = {}
  for (const [key, value] of Object.entries(theirs ?? {})) {
    const isKnown = before !== undefined && Object.hasOwn(before, key) && mine !== undefined
    const part = { driven: value, is: plain?.[key], was: before?.[key], now: mine?.[key] }
    setOwn(out, key, isKnown ? merged(part, live) : liveValue(value, live))
  }
  return out
}

const isFields = (value: unknown): boolean => typeof value === 'object' && value !== null && isPlain(value)

const isSame = (a: unknown, b: unknown): boolean =>
  isEqual(a, b, (one, b) => JSON.stringify(encodeCompact(one)) === JSON.stringify(encodeCompact(b)))
