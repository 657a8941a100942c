// Display names of actors and colors of their families.
import type { ActorEntry, Family } from '../../trace/index.ts'

/** Returns the actor's own part of its path: its id, with the ordinal if it has one. */
export function ownName(entry: ActorEntry, actors: readonly ActorEntry[]): string {
  const parent = entry.parent === undefined ? undefined : actors[entry.parent]
  const prefix = parent ? `${parent.path}/` : ''
  return prefix !== '' && entry.path.startsWith(prefix) ? entry.path.slice(prefix.length) : entry.path
}

/** Returns the CSS color of a family. */
export const familyColor = (family: Family): string => `var(--fam-${family})`

/** Returns the tooltip of an actor: its path, and what it is for. */
export const actorTitle = (path: string, about: string | undefined): string =>
  about === undefined ? path : `${path}\n${about}`
