// What an actor is called and which family (hue) it belongs to.
import type { ActorEntry } from '../../trace/format.ts'

const FAMILIES = ['session', 'refresh', 'request', 'connection', 'channel', 'client'] as const

/** Groups of actors that share a hue. */
export type Family = (typeof FAMILIES)[number]

/** The actor's own part of its path: its id, with the ordinal when it has one. */
export function ownName(entry: ActorEntry, actors: readonly ActorEntry[]): string {
  const parent = entry.parent === undefined ? undefined : actors[entry.parent]
  const prefix = parent ? `${parent.path}/` : ''
  return prefix !== '' && entry.path.startsWith(prefix) ? entry.path.slice(prefix.length) : entry.path
}

/** The family of the nearest named part of the path, so that a leaf has its machine's hue. */
export function familyOf(entry: ActorEntry): Family {
  const words = [entry.src, ...entry.path.split('/').reverse()]
  for (const word of words) {
    const found = FAMILIES.find(family => word === family || new RegExp(`^${family}s?\\b`).test(word))
    if (found) return found
  }
  return 'client'
}

/** CSS colour of the actor's family. */
export const familyHue = (entry: ActorEntry): string => `var(--fam-${familyOf(entry)})`

/** The path without the root's name, which every actor shares. */
export function shortPath(entry: ActorEntry): string {
  const slash = entry.path.indexOf('/')
  return slash === -1 ? entry.path : entry.path.slice(slash + 1)
}
