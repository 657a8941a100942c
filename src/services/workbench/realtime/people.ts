// Lists the users in a topic from its presence state.
import type { PresenceState } from '../../client/index.ts'

export interface Person {
  readonly key: string
  readonly name: string
  /** Number of tabs or devices of the user. */
  readonly places: number
  /** The state each of them shares. */
  readonly metas: readonly Readonly<Record<string, unknown>>[]
}

const nameIn = (meta: Readonly<Record<string, unknown>> | undefined): string | undefined => {
  const name = meta?.['name']
  return typeof name === 'string' && name !== '' ? name : undefined
}

/** The user's display name, or else the key. */
export const nameOf = (key: string, metas: readonly Readonly<Record<string, unknown>>[]): string =>
  nameIn(metas[0]) ?? key

/** Removes the server's reference, which is of no use to users. */
export const withoutMark = (meta: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(meta).filter(([name]) => name !== 'presence_ref'))

/** Sorted by name; the metas of one key are one user. */
export const peopleOf = (presence: PresenceState): readonly Person[] =>
  Object.entries(presence)
    .filter(([, metas]) => metas.length > 0)
    .map(([key, metas]) => ({ key, name: nameOf(key, metas), places: metas.length, metas }))
    .sort((a, b) => a.name.localeCompare(b.name))
