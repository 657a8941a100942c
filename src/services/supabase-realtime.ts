// The realtime ports: a new RealtimeClient for each life of the socket, a new RealtimeChannel for each join.
import {
  RealtimeClient,
  type RealtimeChannel,
  type RealtimePostgresChangesPayload,
  type WebSocketLikeConstructor,
} from '@supabase/realtime-js'
import { fromCallback } from 'xstate'
import type { ChannelCommand, ChannelOptions, RowChange, TopicEvent } from '../machines/channel-events.ts'
import type { SocketCommand, SocketEvent } from '../machines/ports.ts'

export interface RealtimeBackend {
  readonly url: string
  readonly key: string
  /** The access token in use; without one the socket speaks with the API key alone. */
  readonly accessToken: () => string | undefined
  readonly WebSocket: typeof globalThis.WebSocket
}

/** The client's own reconnect, rejoin and idle timers are set past any page's life: the machines own them. */
const NEVER = 2 ** 31 - 1

export function createRealtimePorts(backend: RealtimeBackend) {
  let current: RealtimeClient | undefined

  const socket = fromCallback<SocketCommand, { readonly heartbeatEvery: number }, SocketEvent>(
    ({ input, sendBack, receive }) => {
      const client = openSocket(backend, input.heartbeatEvery, sendBack)
      let stopped = false
      current = client
      // The token is in place before the socket opens, so no join can go out without it.
      const ready = client.setAuth().then(() => {
        if (!stopped) client.connect()
      })
      ready.catch((error: unknown) => sendBack({ type: 'socket.closed', code: 0, reason: String(error) }))
      receive(() => void client.setAuth())
      return () => {
        stopped = true
        if (current === client) current = undefined
        void client.disconnect()
      }
    },
  )

  const topic = fromCallback<ChannelCommand, TopicInput, TopicEvent>(({ input, sendBack, receive }) => {
    const client = current
    if (!client) return sendBack({ type: 'topic.closed', reason: 'the socket is gone' })
    const channel = joinTopic(client, input, sendBack)
    receive(command => obey(channel, command, sendBack))
    return () => void client.removeChannel(channel)
  })

  return { socket, topic }
}

interface TopicInput {
  readonly topic: string
  readonly options: ChannelOptions
  readonly timeout: number
}

type Send<E> = (event: E) => void

function openSocket(
  { url, key, accessToken, WebSocket }: RealtimeBackend,
  heartbeatEvery: number,
  sendBack: Send<SocketEvent>,
) {
  return new RealtimeClient(`${url.replace(/^http/, 'ws')}/realtime/v1`, {
    params: { apikey: key },
    transport: watched(WebSocket, sendBack),
    heartbeatIntervalMs: heartbeatEvery,
    heartbeatCallback: status => {
      if (status === 'timeout') sendBack({ type: 'socket.silent' })
    },
    accessToken: () => Promise.resolve(accessToken() ?? null),
    // A message on a socket that just went would otherwise go out over HTTP, past every machine.
    fetch: () => Promise.reject(new Error('the socket is gone')),
    reconnectAfterMs: () => NEVER,
    disconnectOnEmptyChannelsAfterMs: NEVER,
  })
}

/** A socket class that tells of its opening and closing, with the code and reason that the client drops. */
function watched(Base: typeof globalThis.WebSocket, sendBack: Send<SocketEvent>): WebSocketLikeConstructor {
  return class extends Base {
    constructor(address: string | URL, protocols?: string | string[]) {
      super(address, protocols)
      this.addEventListener('open', () => sendBack({ type: 'socket.opened' }))
      this.addEventListener('close', ({ code, reason }) => sendBack({ type: 'socket.closed', code, reason }))
    }
  }
}

function joinTopic(
  client: RealtimeClient,
  { topic, options, timeout }: TopicInput,
  sendBack: Send<TopicEvent>,
) {
  const channel = client.channel(topic, {
    config: {
      private: options.private ?? false,
      broadcast: { self: options.broadcast?.self ?? false, ack: options.broadcast?.ack ?? true },
      presence: { key: options.presence?.key ?? '' },
    },
  })
  let lastWord = ''
  channel.on('broadcast', { event: '*' }, ({ event, payload }: { event: string; payload?: unknown }) => {
    sendBack({ type: 'broadcast.received', event, payload })
  })
  channel.on('presence', { event: 'sync' }, () => {
    sendBack({ type: 'presence.synced', state: structuredClone(channel.presenceState()) })
  })
  channel.on('system', {}, (word: SystemMessage) => {
    lastWord = word.message ?? ''
    if (word.extension !== 'postgres_changes') return
    sendBack(
      word.status === 'ok' ? { type: 'postgres.subscribed' } : { type: 'postgres.failed', reason: lastWord },
    )
  })
  for (const wanted of options.postgresChanges ?? []) {
    channel.on('postgres_changes', wanted as { event: '*'; schema: string }, (change: AnyChange) => {
      sendBack({ type: 'postgres.changed', change: rowChange(change) })
    })
  }
  return channel.subscribe((status: string, error) => {
    channel.rejoinTimer.reset()
    if (status === 'SUBSCRIBED') sendBack({ type: 'topic.joined' })
    else if (status === 'CLOSED')
      sendBack({ type: 'topic.closed', reason: lastWord || 'closed by the server' })
    else sendBack({ type: 'topic.refused', reason: error?.message ?? 'no answer to the join' })
  }, timeout)
}

interface SystemMessage {
  readonly extension?: string
  readonly status?: string
  readonly message?: string
}

type AnyChange = RealtimePostgresChangesPayload<Record<string, unknown>>

function rowChange(change: AnyChange): RowChange {
  const { eventType, schema, table, commit_timestamp } = change
  return {
    type: eventType,
    schema,
    table,
    record: change.new,
    old: change.old,
    commitTimestamp: commit_timestamp,
  }
}

function obey(channel: RealtimeChannel, command: ChannelCommand, sendBack: Send<TopicEvent>): void {
  switch (command.type) {
    // A presence that could not be told is told again with the next join.
    case 'presence.track':
      return void channel.track({ ...command.meta }).catch(() => undefined)
    case 'presence.untrack':
      return void channel.untrack().catch(() => undefined)
    case 'broadcast.send': {
      const { id, event, payload } = command
      const settle = (answer: string) =>
        sendBack({ type: 'broadcast.settled', id, ...(answer !== 'ok' && { reason: answer }) })
      channel.send({ type: 'broadcast', event, payload }).then(settle, () => settle('the channel is gone'))
    }
  }
}
