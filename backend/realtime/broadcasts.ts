// Client broadcasts: checked against the policies on private channels, then forwarded to the other members.
import { PolicyError } from './authorize.ts'
import { UserPush, type Broadcast } from './frames.ts'
import { isRecord } from './join-config.ts'
import { writesOf, type Message } from './message.ts'
import { largestPayload, payloadSize } from './settings.ts'

/** Forwards the broadcast; callers without permission get no response, as in the original. */
export async function sendBroadcast(message: Message): Promise<void> {
  const { channel, payload, context, reply } = message
  const { topic, isPrivate, config } = channel
  const broadcast = readBroadcast(payload)
  if (!broadcast) return channel.end('phx_error', { reason: 'channel_crash' })
  if (isPrivate && !(await maySend(message))) return
  context.rates.events.add()
  const size = payloadSize('plain' in broadcast ? broadcast.plain : broadcast.payload)
  if (size > largestPayload(context.settings)) {
    if (config.ack) reply('error', 'payload_size_exceeded')
    return
  }
  context.hub.broadcast(topic, isPrivate, broadcast, config.self ? undefined : channel)
  if (config.ack) reply('ok')
}

function readBroadcast(payload: unknown): Broadcast | undefined {
  if (payload instanceof UserPush) return { event: payload.event, payload: payload.payload }
  return isRecord(payload) || payload instanceof Uint8Array ? { plain: payload } : undefined
}

async function maySend(message: Message): Promise<boolean> {
  try {
    return (await writesOf(message)).broadcast === true
  } catch (error) {
    if (error instanceof PolicyError) return false
    throw error
  }
}
