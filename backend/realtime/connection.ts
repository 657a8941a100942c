// The channels of one socket: joins, leaves and messages.
import type { WebSocket } from 'ws'
import { sendBroadcast } from './broadcasts.ts'
import { subscribeChanges } from './change-subscriptions.ts'
import type { Channel, Outlet } from './channel.ts'
import { TOPIC_PREFIX, encodeBroadcast } from './protocol.ts'
import { join, JoinRefused, type Joined } from './join.ts'
import { handlePresence, syncPresence } from './presence-events.ts'
import { Socket } from './socket.ts'
import { renewToken } from './token-renewal.ts'
import type { Frame, Ref, Version } from './frames.ts'
import type { Message } from './message.ts'
import type { RealtimeContext } from './realtime-context.ts'

/** Events that clients may send on a channel; others are ignored without a response, as in the original. */
const HANDLERS = new Map<string, (message: Message) => Promise<void>>([
  ['broadcast', sendBroadcast],
  ['presence', handlePresence],
  ['access_token', renewToken],
])

/** Phoenix.js reconnects after this code, unlike after 1000. */
const GOING_AWAY = 1001

export class Connection {
  readonly socket: Socket
  /**
   * Time since the socket has no channel, from the monotonic clock, in milliseconds; `undefined` while there
   * is one.
   */
  emptySince: number | undefined = performance.now()
  readonly #version: Version
  readonly #apikey: string
  readonly #realm: RealtimeContext
  readonly #channels = new Map<string, Channel>()
  readonly #outlet: Outlet

  constructor(ws: WebSocket, version: Version, apikey: string, context: RealtimeContext) {
    this.#version = version
    this.#apikey = apikey
    this.#realm = context
    this.socket = new Socket(ws, {
      version,
      maxBacklogBytes: context.settings.maxBacklogBytes,
      handle: frame => this.#handle(frame),
      closed: () => this.#leaveAll(),
    })
    this.#outlet = {
      version,
      send: frame => this.socket.send(frame),
      transmit: data => this.socket.transmit(data),
      onEnd: channel => this.#forget(channel),
    }
  }

  async #handle(frame: Frame): Promise<void> {
    if (frame.topic === 'phoenix' && frame.event === 'heartbeat') {
      return this.#reply({ ...frame, joinRef: null }, 'ok')
    }
    if (frame.event === 'phx_join') return this.#join(frame)
    const channel = this.#channels.get(frame.topic)
    if (!channel) return this.#answerNoChannel(frame)
    // Refers to an earlier join of the same topic.
    if (frame.joinRef !== null && String(frame.joinRef) !== String(channel.joinRef)) return
    if (frame.event === 'phx_leave') {
      this.#reply({ ...frame, joinRef: channel.joinRef }, 'ok')
      return channel.end('phx_close', {})
    }
    await this.#pass(frame, channel)
  }

  #answerNoChannel(frame: Frame): void {
    if (frame.event === 'phx_leave') this.#reply(frame, 'ok')
    else this.#reply({ ...frame, joinRef: null }, 'error', { reason: 'unmatched topic' })
  }

  /** Internal errors close the channel, but neither the socket nor the process. */
  async #pass(frame: Frame, channel: Channel): Promise<void> {
    const { payload, event } = frame
    const handler = HANDLERS.get(event)
    if (!handler) return this.#realm.rates.events.add()
    const reply: Message['reply'] = (status, response = {}) =>
      this.#reply({ ...frame, joinRef: channel.joinRef }, status, response)
    try {
      await handler({ channel, payload, apikey: this.#apikey, context: this.#realm, reply })
    } catch {
      channel.end('phx_error', { reason: 'channel_crash' })
    }
  }

  async #join(frame: Frame): Promise<void> {
    // For a disconnected client nothing needs to be checked; the database is left to others.
    if (!this.socket.isOpen) return
    if (!frame.topic.startsWith(TOPIC_PREFIX)) return this.#answerNoChannel(frame)
    this.#channels.get(frame.topic)?.end('phx_close', {})
    const openChannels = this.#channels.size
    const request = { frame, apikey: this.#apikey, outlet: this.#outlet, openChannels }
    try {
      const joined = await join(request, this.#realm)
      if (this.socket.isOpen) this.#open(frame, joined)
    } catch (error) {
      const isRefusal = error instanceof JoinRefused
      const reason = isRefusal ? error.message : 'UnknownErrorOnChannel: Unknown Error on Channel'
      this.#reply(frame, 'error', { reason })
      if (isRefusal && error.disconnects) this.socket.close(GOING_AWAY)
    }
  }

  #open(frame: Frame, { channel, replay }: Joined): void {
    const context = this.#realm
    this.#channels.set(frame.topic, channel)
    this.emptySince = undefined
    context.users.add(this.#outlet)
    context.hub.add(channel)
    const changes = channel.changes.map(({ rawConfig, id }) => ({ ...rawConfig, id }))
    this.#reply(frame, 'ok', { postgres_changes: changes })
    for (const { event, payload, meta } of replay) {
      this.socket.transmit(
        encodeBroadcast(this.#version, frame.topic, { event, payload, ...(meta && { meta }) }),
      )
    }
    if (channel.config.replicationReady) channel.system('system', 'ok', 'Replication connection established')
    syncPresence(channel, context)
    if (channel.changes.length > 0) void subscribeChanges(channel, context)
  }

  #forget(channel: Channel): void {
    if (this.#channels.get(channel.wireTopic) === channel) this.#channels.delete(channel.wireTopic)
    if (this.#channels.size === 0) this.emptySince = performance.now()
    this.#realm.hub.remove(channel)
  }

  #leaveAll(): void {
    this.#realm.users.delete(this.#outlet)
    for (const channel of this.#channels.values()) {
      channel.close()
      this.#forget(channel)
    }
  }

  #reply(
    frame: { readonly joinRef: Ref; readonly ref: Ref; readonly topic: string },
    status: 'ok' | 'error',
    response: unknown = {},
  ): void {
    const { joinRef, ref, topic } = frame
    this.socket.send({ joinRef, ref, topic, event: 'phx_reply', payload: { status, response } })
  }
}
