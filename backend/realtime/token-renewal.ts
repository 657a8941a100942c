// Applies a new token to an open channel: replaces its claims, checks the policies again, and may close the
// channel.
import { PolicyError, type Permissions } from './authorize.ts'
import { announceChanges, subscribeChanges } from './change-subscriptions.ts'
import { requestedExtensions, mayNotRead } from './join.ts'
import { identify, type Identity } from './token-refusal.ts'
import { fieldOf } from '../shared/fields.ts'
import type { Channel } from './channel.ts'
import type { Message } from './message.ts'
import type { RealtimeContext } from './realtime-context.ts'

export async function renewToken({ channel, payload, apikey, context }: Message): Promise<void> {
  const token = fieldOf(payload, 'access_token')
  if (typeof token !== 'string' || token.startsWith('sb_') || token === channel.token) return
  const identity = await identify(context.tokens, apikey, token, context.clock.now())
  if ('code' in identity) return channel.expel(identity.farewell)
  const before = channel.mayRead
  const after = channel.isPrivate ? await permissions(channel, identity, context) : {}
  if (!after.broadcast && !after.presence && channel.isPrivate)
    return channel.expel(mayNotRead(channel.topic))
  if (isRevoked(before.broadcast, after.broadcast) || isRevoked(before.presence, after.presence))
    return channel.expel(`You no longer have permission to read from this Channel topic: ${channel.topic}`)
  channel.renew(identity, after)
  if (channel.subscriptions.length > 0) announceChanges(channel)
  else if (channel.changes.length > 0) await subscribeChanges(channel, context)
}

async function permissions(
  { topic, config }: Channel,
  { claims }: Identity,
  context: RealtimeContext,
): Promise<Permissions> {
  try {
    return await context.authorizer.mayRead(claims, topic, requestedExtensions(config.presenceEnabled))
  } catch (error) {
    if (error instanceof PolicyError) return {}
    throw error
  }
}

function isRevoked(before: boolean | undefined, after: boolean | undefined): boolean {
  return before === true && after === false
}
