// Computes joins and leaves between two presence states.
import type { PresenceState } from '../../../machines/index.ts'
import type { PresenceChange } from './channel-types.ts'

type Metas = PresenceState[string]

/** Metas are compared by content: their reference changes with each join and each restart. */
function describeMeta(meta: Metas[number]): string {
  const { presence_ref: _, ...rest } = meta
  return JSON.stringify(rest)
}

/** Returns the `metas` that have no counterpart in `others`. */
function beyond(metas: Metas, others: Metas): Metas {
  const left = others.map(describeMeta)
  return metas.filter(meta => {
    const place = left.indexOf(describeMeta(meta))
    if (place >= 0) left.splice(place, 1)
    return place < 0
  })
}

export type PresenceDiff = (
  before: PresenceState,
  now: PresenceState,
) => { readonly joins: readonly PresenceChange[]; readonly leaves: readonly PresenceChange[] }

/** Joins and leaves, each reported once; a changed meta leaves and joins. */
export const presenceDiff: PresenceDiff = (before, now) => {
  const of = (state: PresenceState, key: string) => (Object.hasOwn(state, key) ? state[key] : undefined) ?? []
  const changes = (from: PresenceState, to: PresenceState) =>
    Object.keys(to).flatMap(key => {
      const metas = beyond(of(to, key), of(from, key))
      return metas.length > 0 ? [{ key, metas, present: of(now, key) }] : []
    })
  return { joins: changes(before, now), leaves: changes(now, before) }
}
