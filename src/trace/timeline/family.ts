// Which family an actor belongs to: actors of one family share a hue.
import type { ActorEntry } from '../format.ts'

/** Families by number. */
export const FAMILIES = ['session', 'refresh', 'request', 'connection', 'channel', 'client'] as const

/** Groups of actors that share a hue. */
export type Family = (typeof FAMILIES)[number]

/** Machines that mediate have the hue of those they mediate for. */
const KIN: Readonly<Record<string, Family>> = { requests: 'request', realtime: 'connection', tab: 'refresh' }

/** Number of the family that an actor's own logic says, or -1. */
export function ownFamily({ src }: Pick<ActorEntry, 'src'>): number {
  const name = src.replace(/Machine$/, '')
  return FAMILIES.findIndex(family => family === (KIN[name] ?? name))
}

/** The path without the root's name, which every actor shares. */
export function shortPath(entry: Pick<ActorEntry, 'path'>): string {
  const slash = entry.path.indexOf('/')
  return slash === -1 ? entry.path : entry.path.slice(slash + 1)
}
