// Presence events of clients: track and untrack within the limits, checked against the policies on private
// channels.
import { PolicyError } from './authorize.ts'
import { isRecord } from './join-config.ts'
import { writesOf, type Message } from './message.ts'
import { largestPayload, payloadSize } from './settings.ts'
import { fieldOf } from '../shared/fields.ts'
import type { Channel } from './channel.ts'
import type { RealtimeContext } from './realtime-context.ts'

const TOO_MANY = 'Too many presence messages per second'

export async function handlePresence(message: Message): Promise<void> {
  const { channel, payload, context, reply } = message
  const event = fieldOf(payload, 'event')
  if (event === undefined) return reply('ok')
  if (typeof event !== 'string') return channel.end('phx_error', { reason: 'channel_crash' })
  if (!channel.allowPresence()) return channel.expel('Client presence rate limit exceeded')
  switch (event.toLowerCase()) {
    case 'track':
      return track(message)
    case 'untrack':
      context.hub.untrack(channel)
      channel.tracked = undefined
      return reply('ok')
    default:
      return reply('error')
  }
}

async function track(message: Message): Promise<void> {
  const { channel, payload, context, reply } = message
  if (channel.isPrivate && !(await mayTrack(message))) return reply('error')
  const data = fieldOf(payload, 'payload') ?? {}
  if (!isRecord(data)) return reply('error', { reason: 'Presence track payload must be a map' })
  const text = JSON.stringify(data)
  if (text === channel.tracked) return reply('ok')
  if (payloadSize(data) > largestPayload(context.settings))
    return channel.expel('Track message size exceeded')
  if (!countPresence(context)) return channel.expel(TOO_MANY)
  channel.tracked = text
  context.rates.presence.add(context.hub.track(channel, data))
  reply('ok')
}

async function mayTrack(message: Message): Promise<boolean> {
  const { channel, context } = message
  try {
    if (channel.mayRead.presence === undefined) {
      const { presence } = await context.authorizer.mayRead(channel.claims, channel.topic, ['presence'])
      channel.mayRead = { ...channel.mayRead, presence: presence ?? false }
    }
    return (await writesOf(message)).presence === true
  } catch (error) {
    if (error instanceof PolicyError) return false
    throw error
  }
}

/** Sends the presence state to a channel; closes the channel if the presence limit is exceeded. */
export function syncPresence(channel: Channel, context: RealtimeContext): void {
  if (!channel.config.presenceEnabled || !channel.seesPresence) return
  if (countPresence(context)) channel.push('presence_state', context.hub.presenceState(channel))
  else channel.expel(TOO_MANY)
}

function countPresence({ rates, settings }: RealtimeContext): boolean {
  if (rates.presence.perSecond() > settings.maxPresenceEventsPerSecond) return false
  rates.presence.add()
  return true
}
