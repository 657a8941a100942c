// What all sockets of the server share.
import type { Authorizer } from './authorize.ts'
import type { Changes } from './changes.ts'
import type { BroadcastMessage } from './frames.ts'
import type { Hub } from './hub.ts'
import type { Rate } from './rate.ts'
import type { RealtimeSettings } from './settings.ts'
import type { Clock } from '../clock.ts'
import type { Tokens } from '../keys/tokens.ts'

/** Broadcasts that the database keeps, oldest first. */
export type Replay = (
  topic: string,
  since: number,
  limit: number,
) => Promise<readonly (BroadcastMessage & { readonly id: string })[]>

export interface Realm {
  readonly hub: Hub
  readonly changes: Changes
  readonly tokens: Tokens
  readonly authorizer: Authorizer
  readonly replay: Replay
  readonly settings: RealtimeSettings
  readonly clock: Clock
  readonly rates: { readonly events: Rate; readonly joins: Rate; readonly presence: Rate }
  /** The sockets that have joined a channel at some time. */
  readonly users: Set<object>
  nextId(): number
  isStopping(): boolean
}

export function tooManyEvents({ rates, settings }: Realm): boolean {
  return rates.events.perSecond() >= settings.maxEventsPerSecond
}
