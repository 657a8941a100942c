// Assembles realtime for any socket opener, lazy or not.
import {
  realtimeStatus,
  type ChannelCommand,
  type ProbeEvent,
  type ResyncEvent,
  type SocketCommand,
  type SocketEvent,
  type SocketInput,
  type TopicEvent,
} from '../../../machines/index.ts'
import { composeRealtime } from './compose-realtime.ts'
import { createHttpBroadcast } from './http-broadcast.ts'
import { presenceDiff } from './presence-diff.ts'
import type { OpenSocket, SocketBackend, SocketLife } from './supabase-socket.ts'
import { fromCallback, type EventObject, type NonReducibleUnknown } from 'xstate'
import { retryAfterOf } from '../auth/auth-response.ts'
import { broken, effect } from '../../runtime/index.ts'
import { joinTopic, leaveTopic, obey, type TopicInput } from './supabase-topic.ts'

export interface RealtimeHost extends RealtimeBackend {
  /** Waits for the token and replaces the API key by it. */
  readonly gatedFetch: typeof globalThis.fetch
}

export function realtimeOver(host: RealtimeHost, openSocket: OpenSocket) {
  return {
    machine: composeRealtime(createRealtimePorts(host, openSocket)).realtime,
    status: realtimeStatus,
    presenceDiff,
    post: createHttpBroadcast(host.url, host.key, host.gatedFetch),
  }
}

export interface RealtimeBackend extends SocketBackend {
  readonly fetch: typeof globalThis.fetch
  /** Makes the app reload the displayed rows of a topic. */
  readonly resync: (topic: string) => Promise<unknown>
}

/** The realtime ports: a new RealtimeClient for each socket connection, a new RealtimeChannel for each join. */
export function createRealtimePorts(backend: RealtimeBackend, openSocket: OpenSocket) {
  let current: SocketLife | undefined

  const socket = fromCallback<SocketCommand, SocketInput, SocketEvent>(({ input, sendBack, receive }) => {
    const { freshUntil = Infinity } = input
    if (backend.clock.now() >= freshUntil) return sendBack({ type: 'socket.stale' })
    const report = (event: SocketEvent) => sendBack(withoutTokens(event))
    const life = opened(() => openSocket(backend, input, report), report)
    if (!life) return
    current = life
    receive(command => (command.type === 'token.push' ? life.pushToken() : life.probe()))
    return () => {
      if (current === life) current = undefined
      life.close()
    }
  })

  const topic = fromCallback<ChannelCommand, TopicInput, TopicEvent>(({ input, sendBack, receive }) => {
    const life = current
    if (!life) return sendBack({ type: 'topic.closed', reason: 'the socket is gone' })
    let channel: ReturnType<typeof joinTopic> | undefined
    let isStopped = false
    // Leaving closes the channel, whose event would otherwise reach the next join.
    const report = (event: TopicEvent) => {
      if (!isStopped) sendBack(withoutTokens(event))
    }
    const join = () => {
      if (!isStopped) channel = joinTopic(life.client, input, backend.accessToken, report)
    }
    Promise.all([life.authorised(), life.leaving.get(input.topic)])
      .then(join)
      .catch((error: unknown) => report(broken(error)))
    receive(command => {
      if (channel) obey(channel, command, input.timeout, report)
    })
    return () => {
      isStopped = true
      if (channel) leaveTopic(life, input.topic, channel)
    }
  })

  return { socket, topic, probeSocket: createProbe(backend), resync: createResync(backend) }
}

/** Longer reasons of a server are cut. */
const MAX_REASON = 500
const TOKEN = /(?<![\w-])eyJ[\w-]+\.[\w-]+\.[\w-]*/g

/** Hides the tokens that a server quotes in the reason of an event. */
function withoutTokens<Event extends SocketEvent | TopicEvent>(event: Event): Event {
  if (!('reason' in event) || typeof event.reason !== 'string') return event
  return { ...event, reason: event.reason.slice(0, MAX_REASON).replaceAll(TOKEN, '[token]') }
}

/** Opens a socket connection, or reports why there is none. */
function opened(open: () => SocketLife | undefined, report: (event: SocketEvent) => void) {
  try {
    const life = open()
    if (!life) report({ type: 'socket.closed', code: 0, reason: 'WebSocket is not available' })
    return life
  } catch (error) {
    report(broken(error))
    return undefined
  }
}

/** Sockets do not report why they were rejected, but the same endpoint responds over HTTP. */
const createProbe = ({ url, key, fetch }: RealtimeBackend) =>
  effect<NonReducibleUnknown, ProbeEvent>(async (_, signal) => {
    const address = `${url}/realtime/v1/api/ping`
    const answer = await fetch(address, { headers: { apikey: key }, signal }).catch(() => undefined)
    if (!answer) return { type: 'probe.failed' }
    void answer.body?.cancel().catch(() => undefined)
    const retryAfter = retryAfterOf(answer)
    return {
      type: 'probe.answered',
      status: answer.status,
      ...(retryAfter !== undefined && { retryAfter }),
    }
  })

const createResync = ({ resync }: RealtimeBackend) =>
  fromCallback<EventObject, { readonly topic: string }, ResyncEvent>(({ input, sendBack }) => {
    void new Promise(done => done(resync(input.topic))).then(
      () => sendBack({ type: 'resync.done' }),
      // The message comes from the app and may contain anything.
      (error: unknown) => {
        sendBack({ type: 'resync.failed', reason: error instanceof Error ? error.name : typeof error })
      },
    )
  })
