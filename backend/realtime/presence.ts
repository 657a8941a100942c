// Presence of one topic: metas by key, with the references that Phoenix clients use to merge.
import { randomBytes } from 'node:crypto'

export type Meta = Readonly<Record<string, unknown>> & { readonly phx_ref: string }
export type PresenceEntries = Readonly<Record<string, { readonly metas: readonly Meta[] }>>

export interface PresenceDiff {
  readonly joins: PresenceEntries
  readonly leaves: PresenceEntries
}

export interface Presence {
  state(): PresenceEntries
  /** Adds or replaces the state of `member`. */
  track(member: object, key: string, data: Readonly<Record<string, unknown>>): PresenceDiff
  /** Removes it; `undefined` if there was none. */
  untrack(member: object): PresenceDiff | undefined
}

export function createPresence(): Presence {
  const tracked = new Map<object, { key: string; meta: Meta }>()
  return {
    state() {
      const byKey = Map.groupBy(tracked.values(), ({ key }) => key)
      return Object.fromEntries(
        [...byKey].map(([key, list]) => [key, { metas: list.map(({ meta }) => meta) }]),
      )
    },
    track(member, key, data) {
      const before = tracked.get(member)
      const meta: Meta = {
        ...data,
        phx_ref: randomBytes(12).toString('base64url'),
        ...(before ? { phx_ref_prev: before.meta.phx_ref } : {}),
      }
      tracked.set(member, { key, meta })
      return { joins: entry(key, meta), leaves: before ? entry(before.key, before.meta) : {} }
    },
    untrack(member) {
      const before = tracked.get(member)
      if (!before) return undefined
      tracked.delete(member)
      return { joins: {}, leaves: entry(before.key, before.meta) }
    },
  }
}

function entry(key: string, meta: Meta): PresenceEntries {
  return { [key]: { metas: [meta] } }
}
