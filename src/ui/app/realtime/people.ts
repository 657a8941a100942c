// Who is in a topic, out of its presence state.
import type { PresenceState } from '../../../index.ts'

export interface Person {
  readonly key: string
  readonly name: string
  /** Tabs or devices of the same person. */
  readonly places: number
  /** What each of them shows of itself. */
  readonly metas: readonly Readonly<Record<string, unknown>>[]
}

const nameIn = (meta: Readonly<Record<string, unknown>> | undefined): string | undefined => {
  const name = meta?.['name']
  return typeof name === 'string' && name !== '' ? name : undefined
}

/** The name that somebody goes by, or else their key. */
export const nameOf = (key: string, metas: readonly Readonly<Record<string, unknown>>[]): string =>
  nameIn(metas[0]) ?? key

/** The server's own mark of a place says nothing to people. */
export const withoutMark = (meta: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(meta).filter(([name]) => name !== 'presence_ref'))

/** By name; the metas of one key are one person. */
export const peopleOf = (presence: PresenceState): readonly Person[] =>
  Object.entries(presence)
    .filter(([, metas]) => metas.length > 0)
    .map(([key, metas]) => ({ key, name: nameOf(key, metas), places: metas.length, metas }))
    .sort((a, b) => a.name.localeCompare(b.name))
