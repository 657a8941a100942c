// The channel facade: supabase-js's RealtimeClient and RealtimeChannel on top of the machines' channels.
import { REALTIME_SUBSCRIBE_STATES, RealtimeChannel, RealtimeClient } from '@supabase/realtime-js'
import type {
  RealtimeChannelOptions,
  RealtimeClientOptions,
  WebSocketLikeConstructor,
} from '@supabase/realtime-js'
import {
  changeKey,
  OTHER_USER,
  type ChannelStatus,
  type ClientStatus,
  type PostgresChange,
  type PresenceState,
  type RowChange,
} from '../../../machines/index.ts'
import type { ChannelHandle, ChannelOptions, PresenceMeta } from './channel-types.ts'
import type { Result } from '../client-types.ts'

export interface RealtimeFacadeHost {
  readonly url: string
  readonly key: string
  /** The gated fetch of supabase-js. */
  readonly fetch: typeof globalThis.fetch
  /** Its time limits, logger and format, as the official client has them. */
  readonly options: RealtimeClientOptions
  open(topic: string, options: ChannelOptions): ChannelHandle
  connect(): void
  disconnect(): void
  status(): ClientStatus
}

/** The machines own the socket: none is ever opened here, and no WebSocket class is needed. */
export const noSocket = (() => undefined) as unknown as WebSocketLikeConstructor

/** Authorizes and connects automatically: `connect` only reverts `disconnect`. */
export class RealtimeFacade extends RealtimeClient {
  private readonly ownHost: RealtimeFacadeHost
  private ownCount = 0

  constructor(host: RealtimeFacadeHost) {
    const { url, key, fetch } = host
    // Its channels never join, so only what the facade itself logs is of use.
    const { logger: _, ...options } = host.options
    super(`${url.replace(/^http/, 'ws')}/realtime/v1`, {
      ...options,
      params: { apikey: key, ...options.params },
      transport: noSocket,
      fetch,
    })
    this.ownHost = host
  }

  /** Returns the channel of this topic if there is one, without regard to `params`, like supabase-js. */
  override channel(topic: string, params: RealtimeChannelOptions = { config: {} }): RealtimeChannel {
    const present = this.channels.find(channel => channel.topic === `realtime:${topic}`)
    if (present) return present
    const channel = new ChannelFacade(topic, ++this.ownCount, params, this, this.ownHost)
    this.channels.push(channel)
    return channel
  }

  /** Called by supabase-js when a channel was left. */
  _remove(channel: RealtimeChannel) {
    this.channels = this.channels.filter(candidate => candidate !== channel)
  }

  override async removeAllChannels() {
    const ends = await Promise.all(this.channels.map(channel => this.removeChannel(channel)))
    // Channels that were opened elsewhere may be in use.
    if (Object.keys(this.ownHost.status().channels).length === 0) await this.disconnect()
    return ends
  }

  override connect() {
    if (this.isInUse()) this.ownHost.connect()
  }
  override disconnect = () => {
    if (this.isInUse()) this.ownHost.disconnect()
    return Promise.resolve('ok' as const)
  }
  /** Disconnecting must not load realtime. */
  private isInUse = () => this.channels.length > 0 || this.ownHost.status().connection.phase !== 'idle'
  override setAuth = () => Promise.resolve()
  override log(kind: string, message: string, data?: unknown) {
    this.ownHost.options.logger?.(kind, message, data)
  }
  override hasLogger = () => this.ownHost.options.logger !== undefined
  override isConnected = () => this.ownHost.status().connection.phase === 'open'
  override isConnecting = () => /ing/.test(this.ownHost.status().connection.phase)
  override connectionState = () =>
    this.isConnected() ? 'open' : this.isConnecting() ? 'connecting' : 'closed'
}

type Callback = (status: REALTIME_SUBSCRIBE_STATES, error?: Error) => void

class ChannelFacade extends RealtimeChannel {
  private readonly openHandle: RealtimeFacadeHost['open']
  private readonly ownCallbacks = new Set<Callback>()
  private ownHandle: ChannelHandle | undefined

  constructor(
    topic: string,
    count: number,
    params: RealtimeChannelOptions,
    socket: RealtimeClient,
    host: RealtimeFacadeHost,
  ) {
    // A removed channel may be subscribed again while its successor exists; supabase-js would then leave that.
    super(`${topic}#${count}`, params, socket)
    this.topic = `realtime:${topic}`
    this.subTopic = topic
    this.openHandle = host.open
    this.phoenix.socket.push = () => undefined
  }

  private get phoenix() {
    return this.joinPush.channel
  }

  /** May be called again after `unsubscribe`, or with another callback. */
  override subscribe(callback?: Callback, timeout = this.timeout) {
    if (callback) this.ownCallbacks.add(callback)
    if (!this.joinedOnce) super.subscribe((status, error) => this.notifyStatus(status, error), timeout)
    else if (this.state === 'joined') queueMicrotask(() => callback?.(REALTIME_SUBSCRIBE_STATES.SUBSCRIBED))
    else if (this.state === 'closed') {
      this.socket.channels.push(this)
      this.state = 'errored'
    }
    if (this.ownHandle) return this
    const handle = this.openHandle(this.subTopic, wantedOf(this))
    this.ownHandle = handle
    handle.on('broadcast', message => this.phoenix.trigger('broadcast', { type: 'broadcast', ...message }))
    handle.on('presence', state => this.notifyPresence(state))
    handle.on('change', (change, matchedFilter) => this.notifyChange(change, matchedFilter))
    handle.on('system', word => this.phoenix.trigger('system', { ...word, channel: this.subTopic }))
    handle.on('status', status => this.follow(status))
    // Callbacks use the return value of `subscribe`, and the topic may already be joined with users present.
    queueMicrotask(() => {
      if (this.ownHandle !== handle) return
      this.follow(handle.status())
      if (Object.keys(handle.presence()).length > 0) this.notifyPresence(handle.presence())
    })
    return this
  }

  override async unsubscribe(timeout?: number) {
    this.ownHandle?.leave()
    this.ownHandle = undefined
    return super.unsubscribe(timeout)
  }

  override async send(message: Parameters<RealtimeChannel['send']>[0], options?: Record<string, unknown>) {
    const handle = this.ownHandle
    const { type, event } = message
    const payload = message.payload as PresenceMeta
    if (handle && type === 'broadcast')
      return answerOf(await handle.send(event, payload, message.persist ? { persist: message.persist } : {}))
    if (!handle || type !== 'presence') return super.send(message, options)
    return answerOf(await (event === 'track' ? handle.track(payload) : handle.untrack()))
  }

  /** Brings the supabase-js channel to the state of ours. */
  private follow({ phase, postgres, reason = 'connection lost' }: ChannelStatus): void {
    const { joinPush } = this
    const isUp = phase === 'joined' && (postgres === 'none' || postgres === 'live')
    const isDown = phase === 'retrying' || phase === 'denied' || postgres === 'configError'
    if (phase === 'left') return void this.unsubscribe()
    if (this.state === 'errored' && (isUp || phase === 'joining')) {
      this.state = 'joining'
      joinPush.resend(this.timeout)
    }
    // Rejoins are not reported if supabase-js makes none: for another use of the topic, or another user.
    const isLost = isDown || (phase === 'waiting' && reason !== OTHER_USER)
    if (this.state === 'joined' && isLost) {
      this.phoenix.trigger('phx_error', new Error(reason))
    } else if (this.state === 'joining' && isDown) joinPush.trigger('error', { reason })
    else if (this.state === 'joining' && isUp) joinPush.trigger('ok', {})
  }

  private notifyChange(
    { type, record, commitTimestamp, errors, ...rest }: RowChange,
    wanted: PostgresChange | undefined,
  ): void {
    const change = { commit_timestamp: commitTimestamp, eventType: type, new: record, errors: errors ?? null }
    for (const { filter, callback } of this.bindings['postgres_changes'] ?? [])
      if (wanted && changeKey(filter as PostgresChange) === changeKey(wanted))
        callback({ ...rest, ...change }, null, '')
  }

  private notifyPresence(state: PresenceState): void {
    this.phoenix.trigger('presence_state', stateOf(state))
  }

  private notifyStatus(status: REALTIME_SUBSCRIBE_STATES, error?: Error): void {
    for (const callback of this.ownCallbacks) callback(status, error)
  }
}

/** The options of the channel, including those implied by its listeners. */
function wantedOf({ params, bindings }: RealtimeChannel) {
  const { private: isPrivate = false, broadcast = {}, presence = {} } = params.config
  const { self = false, ack = false, replay, replication_ready: replicationReady = false } = broadcast
  const { key, enabled = false } = presence
  return {
    private: isPrivate,
    broadcast: { self, ack, replicationReady, ...(replay && { replay }), fallback: 'http' },
    presence: { enabled: enabled || 'presence' in bindings, ...(key && { key }) },
    postgresChanges: (bindings['postgres_changes'] ?? []).map(({ filter }) => filter as PostgresChange),
  } satisfies ChannelOptions
}

/** Presences in the server's format, from which supabase-js computes joins and leaves. */
const stateOf = (presences: PresenceState) =>
  Object.fromEntries(
    Object.entries(presences).map(([key, metas]) => [
      key,
      { metas: metas.map(({ presence_ref, ...meta }) => ({ ...meta, phx_ref: presence_ref })) },
    ]),
  )

const answerOf = (result: Result<void>) =>
  result.ok ? 'ok' : result.failure.kind === 'timeout' ? 'timed out' : 'error'
