// Determines an actor's family: actors of one family share a hue.
import type { ActorEntry } from '../format/records.ts'

/** Families by index. */
export const FAMILIES = ['session', 'refresh', 'request', 'connection', 'channel', 'client'] as const

/** Groups of actors that share a hue. */
export type Family = (typeof FAMILIES)[number]

/** Managing machines have the hue of the actors they manage. */
const KIN: Readonly<Record<string, Family>> = { requests: 'request', realtime: 'connection', tab: 'refresh' }

/** Index of the family of an actor's own logic, or -1. */
export function ownFamily({ src }: Pick<ActorEntry, 'src'>): number {
  const name = src.replace(/Machine$/, '')
  return FAMILIES.findIndex(family => family === (KIN[name] ?? name))
}

/** The path without the root's name, which all actors share. */
export function shortPath(entry: Pick<ActorEntry, 'path'>): string {
  const slash = entry.path.indexOf('/')
  return slash === -1 ? entry.path : entry.path.slice(slash + 1)
}
