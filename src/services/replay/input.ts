// What a replay takes from a trace besides its stimuli: anchored emissions by place, actor references, copies.
import type { AnyActorRef } from 'xstate'
import type { Anchor, ReplayableTrace, Stimulus } from '../../trace/format.ts'
import { decodeValue, encodeValue } from '../../trace/codec.ts'
import { ActorReference } from '../../trace/values.ts'

/** Anchored stimuli by the path of the actor whose code was running, and there by phase and number. */
export type Anchored = ReadonlyMap<string, ReadonlyMap<string, readonly Stimulus[]>>

/** Groups them once, so that code in which nothing was sent costs next to nothing. */
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

/** A stretch of an actor's code. */
export function anchorKey({ phase, n }: Pick<Anchor, 'phase' | 'n'>): string {
  return `${phase}|${n}`
}

/** Puts actors in the place of references to them. The value must be a copy: it is changed in place. */
export function reviveActors(value: unknown, find: (path: string) => AnyActorRef | undefined): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof ActorReference) return find(value.path) ?? value
  if (ArrayBuffer.isView(value)) return value
  if (value instanceof Map) for (const [key, item] of value) value.set(key, reviveActors(item, find))
  for (const [key, item] of Object.entries(value)) {
    if (typeof item === 'object') Object.defineProperty(value, key, { value: reviveActors(item, find) })
  }
  return value
}

/** A trace held in memory is not changed by a replay: it works with copies. */
export function copy<T>(value: T): T {
  return value === undefined ? value : (decodeValue(encodeValue(value)) as T)
}
