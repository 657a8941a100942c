// Presence events of clients: track and untrack within the limits, checked against the policies on private
// channels.
import { PolicyError } from './authorize.ts'
import { isRecord } from './join-config.ts'
import { writesOf, type Message } from './message.ts'
import { largestPayload, payloadSize } from './settings.ts'
import { fieldOf } from '../fields.ts'
import type { Channel } from './channel.ts'
import type { RealtimeContext } from './realtime-context.ts'

const TOO_MANY = 'Too many presence messages per second'

export async function handlePresence(message: Message): Promise<void> {
  const { channel, payload, realm, reply } = message
  const event = fieldOf(payload, 'event')
  if (event === undefined) return reply('ok')
  if (typeof event !== 'string') return channel.end('phx_error', { reason: 'channel_crash' })
  if (!channel.allowPresence()) return channel.expel('Client presence rate limit exceeded')
  switch (event.toLowerCase()) {
    case 'track':
      return track(message)
    case 'untrack':
      realm.hub.untrack(channel)
      channel.tracked = undefined
      return reply('ok')
    default:
      return reply('error')
  }
}

async function track(message: Message): Promise<void> {
  const { channel, payload, realm, reply } = message
  if (channel.isPrivate && !(await mayTrack(message))) return reply('error')
  const data = fieldOf(payload, 'payload') ?? {}
  if (!isRecord(data)) return reply('error', { reason: 'Presence track payload must be a map' })
  const text = JSON.stringify(data)
  if (text === channel.tracked) return reply('ok')
  if (payloadSize(data) > largestPayload(realm.settings)) return channel.expel('Track message size exceeded')
  if (!countPresence(realm)) return channel.expel(TOO_MANY)
  channel.tracked = text
  realm.rates.presence.add(realm.hub.track(channel, data))
  reply('ok')
}

async function mayTrack(message: Message): Promise<boolean> {
  const { channel, realm } = message
  try {
    if (channel.mayRead.presence === undefined) {
      const { presence } = await realm.authorizer.mayRead(channel.claims, channel.topic, ['presence'])
      channel.mayRead = { ...channel.mayRead, presence: presence ?? false }
    }
    return (await writesOf(message)).presence === true
  } catch (error) {
    if (error instanceof PolicyError) return false
    throw error
  }
}

/** Sends the presence state to a channel; closes the channel if the presence limit is exceeded. */
export function syncPresence(channel: Channel, realm: RealtimeContext): void {
  if (!channel.config.presenceEnabled || !channel.seesPresence) return
  if (countPresence(realm)) channel.push('presence_state', realm.hub.presenceState(channel))
  else channel.expel(TOO_MANY)
}

function countPresence({ rates, settings }: RealtimeContext): boolean {
  if (rates.presence.perSecond() > settings.maxPresenceEventsPerSecond) return false
  rates.presence.add()
  return true
}
