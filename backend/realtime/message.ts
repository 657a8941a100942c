// A client's message on a channel, as passed to its handlers.
import type { Channel } from './channel.ts'
import type { Permissions } from './authorize.ts'
import type { RealtimeContext } from './realtime-context.ts'

export interface Message {
  readonly channel: Channel
  readonly payload: unknown
  readonly apikey: string
  readonly context: RealtimeContext
  reply(status: 'ok' | 'error', response?: unknown): void
}

/** What the policies let a channel send, checked once per token. Throws `PolicyError`. */
export async function writesOf({ channel, context }: Message): Promise<Permissions> {
  return (channel.mayWrite ??= await context.authorizer.mayWrite(channel.claims, channel.topic))
}
