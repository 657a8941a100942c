// Assembles realtime for any socket opener, lazy or not: ports, joins and leaves of presence, and broadcasts
// over HTTP.
import {
  realtimeStatus,
  type ChannelCommand,
  type ProbeEvent,
  type ResyncEvent,
  type SocketCommand,
  type SocketEvent,
  type SocketInput,
  type TopicEvent,
  type PresenceState,
} from '../../../machines/index.ts'
import { composeRealtime } from './compose-realtime.ts'
import type { OpenSocket, SocketBackend, SocketLife } from './supabase-socket.ts'
import { fromCallback, type EventObject, type NonReducibleUnknown } from 'xstate'
import { readRefusal } from '../requests/read-refusal.ts'
import { retryAfterOf } from '../requests/responses.ts'
import { broken, effect } from '../../runtime/index.ts'
import { joinTopic, leaveTopic, obey, type TopicInput } from './supabase-topic.ts'
import { describeFailure } from '../requests/describe-failure.ts'
import type { Result } from '../client-types.ts'
import type { PresenceChange } from './channel-types.ts'

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
    const { status, headers } = answer
    const text = status < 400 ? '' : await answer.text().catch(() => '')
    if (status < 400) void answer.body?.cancel().catch(() => undefined)
    const refusal = await readRefusal({ family: 'realtime', status, text, headers, bearer: 'key' })
    const retryAfter = retryAfterOf(answer)
    return {
      type: 'probe.answered',
      status,
      ...(refusal && { refusal }),
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

export interface Broadcast {
  readonly topic: string
  readonly event: string
  readonly payload: unknown
  readonly isPrivate: boolean
}

/** @param fetch waits for the token and replaces the API key by it */
function createHttpBroadcast(url: string, key: string, fetch: typeof globalThis.fetch) {
  const post = (path: string, type: string, body: string | ArrayBuffer) =>
    fetch(`${url}/realtime/v1/api/broadcast${path}`, {
      method: 'POST',
      headers: { apikey: key, authorization: `Bearer ${key}`, 'content-type': type },
      body,
    })
  return async ({ topic, event, payload, isPrivate }: Broadcast): Promise<Result<void>> => {
    try {
      const answer = await (payload instanceof ArrayBuffer
        ? post(
            `/${encodeURIComponent(topic)}/events/${encodeURIComponent(event)}${isPrivate ? '?private=true' : ''}`,
            'application/octet-stream',
            payload,
          )
        : post(
            '',
            'application/json',
            JSON.stringify({ messages: [{ topic, event, payload, private: isPrivate }] }),
          ))
      await answer.body?.cancel()
      if (answer.ok) return { ok: true, value: undefined }
      return { ok: false, failure: await describeFailure({}, answer.status) }
    } catch (error) {
      return { ok: false, failure: await describeFailure(error) }
    }
  }
}

type Metas = PresenceState[string]

/** Metas are compared by content: their reference changes with each join and each restart. */
function describeMeta(meta: Metas[number]): string {
  const { presence_ref: _, ...rest } = meta
  return JSON.stringify(rest)
}

/** Returns the `metas` that have no counterpart in `others`. */
function metasWithout(metas: Metas, removed: Metas): Metas {
  const left = removed.map(describeMeta)
  return metas.filter(meta => {
    const place = left.indexOf(describeMeta(meta))
    if (place >= 0) left.splice(place, 1)
    return place < 0
  })
}

export type PresenceDiff = (
  before: PresenceState,
  now: PresenceState,
) => { readonly joins: readonly PresenceChange[]; readonly leaves: readonly PresenceChange[] }

/** Joins and leaves, each reported once; a changed meta leaves and joins. */
export const presenceDiff: PresenceDiff = (before, now) => {
  const of = (state: PresenceState, key: string) => (Object.hasOwn(state, key) ? state[key] : undefined) ?? []
  const changes = (from: PresenceState, to: PresenceState) =>
    Object.keys(to).flatMap(key => {
      const metas = metasWithout(of(to, key), of(from, key))
      return metas.length > 0 ? [{ key, metas, present: of(now, key) }] : []
    })
  return { joins: changes(before, now), leaves: changes(now, before) }
}
