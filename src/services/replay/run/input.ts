// Replay input other than stimuli in order: anchored emissions by position, actor references, copies.
import type { AnyActorRef } from 'xstate'
import {
  ActorReference,
  type Anchor,
  decodeValue,
  encodeValue,
  isPlain,
  MAX_DEPTH,
  Opaque,
  readField,
  type ReplayableTrace,
  setOwn,
  type Stimulus,
} from '../../../trace/index.ts'

/** Anchored stimuli by the path of the actor whose code was running, then by phase and number. */
export type Anchored = ReadonlyMap<string, ReadonlyMap<string, readonly Stimulus[]>>

/** Groups once, so that code that sent nothing costs almost nothing. */
export function groupAnchored({ stimuli, actors }: ReplayableTrace): Anchored {
  const places = new Map<string, Map<string, Stimulus[]>>()
  for (const stimulus of stimuli) {
    const { anchor, from } = stimulus
    if (!anchor) continue
    const path = actors[anchor.in ?? from ?? -1]?.path ?? ''
    const groups = places.get(path) ?? new Map<string, Stimulus[]>()
    places.set(path, groups)
    const key = anchorKey(anchor)
    const group = groups.get(key)
    if (group) group.push(stimulus)
    else groups.set(key, [stimulus])
  }
  return places
}

/** Key of a call of an actor's code. */
export function anchorKey({ phase, n }: Pick<Anchor, 'phase' | 'n'>): string {
  return `${phase}|${n}`
}

/** Finds an actor by path. */
export type FindActor = (path: string) => AnyActorRef | undefined

/** Replaces references by actors. The value is modified in place, so it must be a copy. */
export function reviveActors(value: unknown, find: FindActor, seen = new Set<object>()): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof ActorReference) return find(value.path) ?? value
  if (ArrayBuffer.isView(value) || seen.has(value)) return value
  seen.add(value)
  if (value instanceof Map) for (const [key, item] of value) value.set(key, reviveActors(item, find, seen))
  for (const [key, item] of Object.entries<unknown>(value as Record<string, unknown>)) {
    const revived = typeof item === 'object' ? reviveActors(item, find, seen) : item
    if (revived !== item) Object.defineProperty(value, key, { value: revived })
  }
  return value
}

/**
 * Copies a value, because a replay must not modify a trace in memory. With
 * `find`, references become actors.
 */
export function copy<T>(value: T, find?: FindActor): T {
  return copyOf(value, 0, { find, left: UNSHARED, copies: new Map() }) as T
}

/** Number of objects that are copied until copies are reused: a large value may share its objects. */
const UNSHARED = 100_000

interface Copying {
  readonly find: FindActor | undefined
  left: number
  /** By original. An object that contains itself has none while it is copied. */
  readonly copies: Map<object, unknown>
}

function copyOf(value: unknown, depth: number, copying: Copying): unknown {
  if (typeof value !== 'object' || value === null) return copyNew(value, depth, copying)
  copying.left -= 1
  if (copying.left > 0) return copyNew(value, depth, copying)
  const known = copying.copies.get(value)
  if (known !== undefined) return known
  const made = copyNew(value, depth, copying)
  copying.copies.set(value, made)
  return made
}

function copyNew(value: unknown, depth: number, copying: Copying): unknown {
  const { find } = copying
  if (typeof value === 'symbol') return Symbol(value.description)
  if (typeof value !== 'object' || value === null)
    return typeof value === 'function' ? withLiveActors(value, find) : value
  if (depth >= MAX_DEPTH) return withLiveActors(value, find)
  if (Array.isArray(value)) {
    const list: unknown[] = []
    for (let at = 0; at < value.length; at++) list.push(copyOf(value[at], depth + 1, copying))
    return list
  }
  // App code recognizes a thrown symbol by `typeof`.
  if (value instanceof Opaque && value.kind === 'symbol') return Symbol(value.name)
  if (!isPlain(value)) return withLiveActors(value, find)
  const out: { [key: string]: unknown } = {}
  for (const key of Object.keys(value)) setOwn(out, key, copyOf(readField(value, key), depth + 1, copying))
  return out
}

/** Encodes and decodes values other than plain objects, as if they were read from a file. */
function withLiveActors(value: unknown, find: FindActor | undefined): unknown {
  const read = decodeValue(encodeValue(value))
  return find ? reviveActors(read, find) : read
}
