// State shared by all sockets of the server.
import type { Authorizer } from './authorize.ts'
import type { Changes } from './changes.ts'
import type { BroadcastMessage } from './frames.ts'
import type { Hub } from './hub.ts'
import type { Rate } from './rate.ts'
import type { RealtimeSettings } from './settings.ts'
import type { Clock } from '../shared/clock.ts'
import type { Tokens } from '../keys/index.ts'

/** Broadcasts stored in the database, oldest first. */
export type Replay = (
  topic: string,
  since: number,
  limit: number,
) => Promise<readonly (BroadcastMessage & { readonly id: string })[]>

export interface RealtimeContext {
  readonly hub: Hub
  readonly changes: Changes
  readonly tokens: Tokens
  readonly authorizer: Authorizer
  readonly replay: Replay
  readonly settings: RealtimeSettings
  readonly clock: Clock
  readonly rates: { readonly events: Rate; readonly joins: Rate; readonly presence: Rate }
  /** Sockets that have ever joined a channel. */
  readonly users: Set<object>
  nextId(): number
  isStopping(): boolean
}

export function tooManyEvents({ rates, settings }: RealtimeContext): boolean {
  return rates.events.perSecond() >= settings.maxEventsPerSecond
}
