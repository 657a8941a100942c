// Realtime of a world: sockets that break with the network, and topics whose tokens the server checks.
import { fromCallback, type EventObject } from 'xstate'
import type {
  ChannelCommand,
  ChannelOptions,
  TopicEvent,
} from '../../src/machines/realtime/channel-events.ts'
import type {
  ProbeEvent,
  ResyncEvent,
  SocketCommand,
  SocketEvent,
  SocketInput,
} from '../../src/machines/ports.ts'
import type { TabClock } from './world-clock.ts'
import { createTimers, type Timers } from './world-timers.ts'
import type { World } from './world.ts'

interface Life {
  /** Nothing passes any longer, and neither end was notified. */
  isDead: boolean
  close(code: number, reason: string): void
}

/** Every open socket of a world. */
export interface Harbour {
  readonly sockets: Set<Life>
  /** The functions that close the joined topics. */
  readonly topics: Set<(reason: string) => void>
}

export interface RealtimeParts {
  readonly world: World
  readonly tab: TabClock
  readonly accessToken: () => string | undefined
  /** Whether the tab itself considers its requests to be a user's. */
  readonly isOfUser: () => boolean
}

interface TopicStart {
  readonly topic: string
  readonly options: ChannelOptions
}

/** The realtime ports of one tab. */
export function createWorldRealtime(parts: RealtimeParts) {
  const { tab, world } = parts
  const { network, random } = world
  /** Callbacks for the next token that is pushed on the current socket. */
  let pushed = new Set<() => void>()
  let current: Life | undefined
  const way = () => 1 + Math.floor(random() * network.conditions.latency)
  const probed = () => (random() < network.conditions.notJoined ? 429 : 426)
  const isDown = () =>
    !network.isOnline || random() < network.conditions.lost + network.conditions.unavailable

  const socket = fromCallback<SocketCommand, SocketInput, SocketEvent>(({ input, sendBack, receive }) => {
    if (input.freshUntil !== undefined && tab.now() >= input.freshUntil)
      return sendBack({ type: 'socket.stale' })
    const timers = createTimers(tab)
    const life: Life = {
      isDead: false,
      close: (code, reason) => timers.set(() => sendBack({ type: 'socket.closed', code, reason }), 1),
    }
    const { probeTimeout } = input
    const beat = () => {
      timers.set(beat, input.heartbeatEvery)
      if (life.isDead || !network.isOnline)
        timers.set(() => sendBack({ type: 'socket.silent' }), probeTimeout)
    }
    receive(command => {
      if (command.type === 'token.push')
        return timers.set(() => pushed.forEach(listener => listener()), way())
      if (!life.isDead && network.isOnline) timers.set(() => sendBack({ type: 'socket.alive' }), way())
      else timers.set(() => sendBack({ type: 'socket.silent' }), probeTimeout)
    })
    current = life
    pushed = new Set()
    world.harbour.sockets.add(life)
    if (random() < network.conditions.silent) life.isDead = true
    else if (isDown()) life.close(1006, '')
    else {
      timers.set(() => {
        sendBack({ type: 'socket.opened' })
        beat()
      }, way())
    }
    return () => {
      timers.clear()
      world.harbour.sockets.delete(life)
      if (current === life) current = undefined
    }
  })

  const topic = fromCallback<ChannelCommand, TopicStart, TopicEvent>(({ input, sendBack, receive }) => {
    const life = current
    if (!life) return sendBack({ type: 'topic.closed', reason: 'the socket is gone' })
    if (parts.isOfUser() && parts.accessToken() === undefined)
      world.server.complaints.push(`Topic ${input.topic} was joined anonymously while a user is signed in.`)
    const timers = createTimers(tab)
    const listeners = pushed
    const stop = join(parts, input, { life, listeners, timers, way, sendBack })
    receive(command => {
      const { id } = command
      if (id !== undefined && !life.isDead) timers.set(() => sendBack({ type: 'push.settled', id }), way())
    })
    return () => {
      timers.clear()
      stop()
    }
  })

  const probeSocket = fromCallback<EventObject, undefined, ProbeEvent>(({ sendBack }) => {
    const timers = createTimers(tab)
    timers.set(
      () => sendBack(isDown() ? { type: 'probe.failed' } : { type: 'probe.answered', status: probed() }),
      way(),
    )
    return timers.clear
  })

  const resync = fromCallback<EventObject, { topic: string }, ResyncEvent>(({ sendBack }) => {
    const timers = createTimers(tab)
    const answer = (): ResyncEvent =>
      isDown() ? { type: 'resync.failed', reason: 'the rows could not be read' } : { type: 'resync.done' }
    timers.set(() => sendBack(answer()), way())
    return timers.clear
  })

  return { socket, topic, probeSocket, resync }
}

interface Joining {
  readonly life: Life
  readonly listeners: Set<() => void>
  readonly timers: Timers
  readonly way: () => number
  readonly sendBack: (event: TopicEvent) => void
}

/**
 * Joins as the owner of the current token; the server closes the topic when the token expires without a
 * refresh.
 */
function join(
  { world: { clock, server, network, harbour, random }, accessToken }: RealtimeParts,
  { options }: TopicStart,
  { life, listeners, timers, way, sendBack }: Joining,
): () => void {
  let expiry: number | undefined
  const isRefused = () => random() < network.conditions.notJoined
  const close = (reason: string) => timers.set(() => sendBack({ type: 'topic.closed', reason }), 1)
  const renew = () => {
    if (expiry !== undefined) clock.clearTimeout(expiry)
    const token = accessToken()
    const until = token === undefined ? Infinity : server.expiryOf(token)
    if (until === undefined) return false
    if (until === Infinity) return true
    expiry = clock.setTimeout(() => {
      if (life.isDead || !network.isOnline) return
      timers.set(() => sendBack({ type: 'topic.closed', reason: 'Token has expired 0 seconds ago' }), 1)
    }, until - clock.now())
    return true
  }
  timers.set(() => {
    if (life.isDead || !network.isOnline) return
    if (!renew())
      return sendBack({ type: 'topic.refused', reason: 'InvalidJWTToken: Token has expired 1 seconds ago' })
    if (isRefused()) return sendBack({ type: 'topic.refused', reason: reasonOf(random) })
    listeners.add(renew)
    harbour.topics.add(close)
    sendBack({ type: 'topic.joined' })
    if ((options.postgresChanges ?? []).length === 0) return
    const isFailing = isRefused()
    timers.set(
      () =>
        sendBack(
          isFailing ? { type: 'postgres.failed', reason: 'too busy' } : { type: 'postgres.subscribed' },
        ),
      way(),
    )
  }, way())
  return () => {
    listeners.delete(renew)
    harbour.topics.delete(close)
    if (expiry !== undefined) clock.clearTimeout(expiry)
  }
}

/** Errors of a server that rejects; the last one is final until there is a new request. */
const REFUSALS = [
  'ConnectionRateLimitReached: Too many connected users',
  'ClientJoinRateLimitReached: Too many joins per second',
  'RealtimeRestarting: Realtime is restarting, please standby',
  'DatabaseLackOfConnections: Database can not accept new connections',
  'Unauthorized: You do not have permissions to read from this channel topic',
] as const

const reasonOf = (random: () => number) => REFUSALS[Math.floor(random() * REFUSALS.length)] ?? ''
