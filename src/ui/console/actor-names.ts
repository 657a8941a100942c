// Display names of actors and the family (hue) each belongs to.
import type { ActorEntry } from '../../trace/index.ts'

const FAMILIES = ['session', 'refresh', 'request', 'connection', 'channel', 'client'] as const

/** Groups of actors that share a hue. */
export type Family = (typeof FAMILIES)[number]

/** Mediating machines share the hue of the machines they mediate for. */
const KIN: Readonly<Record<string, Family>> = { requests: 'request', realtime: 'connection', tab: 'refresh' }

/** Returns the actor's own part of its path: its id, with the ordinal if it has one. */
export function ownName(entry: ActorEntry, actors: readonly ActorEntry[]): string {
  const parent = entry.parent === undefined ? undefined : actors[entry.parent]
  const prefix = parent ? `${parent.path}/` : ''
  return prefix !== '' && entry.path.startsWith(prefix) ? entry.path.slice(prefix.length) : entry.path
}

/** Returns the family of the actor or of its nearest ancestor with one: a leaf has its machine's hue. */
export function familyOf(entry: ActorEntry, actors: readonly ActorEntry[]): Family {
  const src = entry.src.replace(/Machine$/, '')
  const own = FAMILIES.find(family => family === (KIN[src] ?? src))
  const parent = entry.parent === undefined ? undefined : actors[entry.parent]
  return own ?? (parent ? familyOf(parent, actors) : 'client')
}

/** Returns the CSS color of a family. */
export const familyColor = (family: Family): string => `var(--fam-${family})`

/** Returns the CSS color of the actor's family. */
export const familyHue = (entry: ActorEntry, actors: readonly ActorEntry[]): string =>
  familyColor(familyOf(entry, actors))

/** Returns the path without the root's name, which all actors share. */
export function shortPath(entry: ActorEntry): string {
  const slash = entry.path.indexOf('/')
  return slash === -1 ? entry.path : entry.path.slice(slash + 1)
}
