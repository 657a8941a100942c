// A client's message on a channel, as passed to its handlers.
import type { Channel } from './channel.ts'
import type { Permissions } from './authorize.ts'
import type { RealtimeContext } from './realtime-context.ts'

export interface Message {
  readonly channel: Channel
  readonly payload: unknown
  readonly apikey: string
  readonly realm: RealtimeContext
  reply(status: 'ok' | 'error', response?: unknown): void
}

/** What the policies let a channel send, checked once per token. Throws `PolicyError`. */
export async function writesOf({ channel, realm }: Message): Promise<Permissions> {
  return (channel.mayWrite ??= await realm.authorizer.mayWrite(channel.claims, channel.topic))
}
