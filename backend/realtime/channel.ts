// One joined channel: its subscriptions, claims, permissions, and how it ends.
import { randomUUID } from 'node:crypto'
import { expiredSince, type Identity } from './token-refusal.ts'
import { tooManyEvents, type RealtimeContext } from './realtime-context.ts'
import { createWindow } from './rate.ts'
import type { Permissions } from './authorize.ts'
import type { Subscription } from './changes.ts'
import type { Frame, Ref, Version } from './frames.ts'
import type { JoinConfig, NumberedChange } from './join-config.ts'
import { TOPIC_PREFIX } from './protocol.ts'
import type { Claims } from '../keys/index.ts'

/** The socket's side of a channel. */
export interface Outlet {
  readonly version: Version
  send(frame: Frame): void
  transmit(data: string | Uint8Array | undefined): void
  /** The channel has ended and must be removed. */
  onEnd(channel: Channel): void
}

export interface ChannelOptions {
  readonly wireTopic: string
  readonly joinRef: Ref
  readonly ref: Ref
  readonly config: JoinConfig
  readonly identity: Identity
  readonly mayRead: Permissions
  readonly changes: readonly NumberedChange[]
  /** Database broadcasts that a replay has already sent. */
  readonly replayed: ReadonlySet<string>
}

export class Channel {
  readonly topic: string
  readonly isPrivate: boolean
  readonly config: JoinConfig
  readonly presenceKey: string
  readonly wireTopic: string
  readonly joinRef: Ref
  /** The row changes requested by the join. */
  readonly changes: readonly NumberedChange[]
  /** Empty until the server has sent "Subscribed to PostgreSQL". */
  subscriptions: readonly Subscription[] = []
  claims: Claims
  token: string
  /** The permissions of this token; an extension that was not checked is absent. */
  mayRead: Permissions
  mayWrite: Permissions | undefined
  /** The tracked payload as JSON, so that tracking the same again emits no event. */
  tracked: string | undefined
  /** Counts a presence event; false if there were too many. */
  readonly allowPresence: () => boolean
  readonly #pushRef: Ref
  readonly #replayed: ReadonlySet<string>
  readonly #outlet: Outlet
  readonly #realm: RealtimeContext
  #isClosed = false

  constructor(options: ChannelOptions, outlet: Outlet, context: RealtimeContext) {
    const { wireTopic, joinRef, ref, config, identity, mayRead, replayed, changes } = options
    const { maxClientPresenceEventsPerWindow, clientPresenceWindowMs } = context.settings
    this.wireTopic = wireTopic
    this.topic = wireTopic.slice(TOPIC_PREFIX.length)
    this.joinRef = joinRef
    this.#pushRef = joinRef ?? ref
    this.isPrivate = config.isPrivate
    this.config = config
    this.presenceKey = config.presenceKey ?? randomUUID()
    this.claims = identity.claims
    this.token = identity.token
    this.mayRead = mayRead
    this.changes = changes
    this.allowPresence = createWindow(context.clock, maxClientPresenceEventsPerWindow, clientPresenceWindowMs)
    this.#replayed = replayed
    this.#outlet = outlet
    this.#realm = context
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Sends a message only to this channel. */
  push(event: string, payload: unknown): void {
    if (this.#isClosed) return
    this.#outlet.send({ joinRef: this.#pushRef, ref: null, topic: this.wireTopic, event, payload })
  }

  /** Sends a message that all members of the topic receive. */
  notify(event: string, payload: unknown): void {
    if (this.#isClosed) return
    this.#outlet.send({ joinRef: null, ref: null, topic: this.wireTopic, event, payload })
  }

  /** Forwards a broadcast, encoded once per protocol version; `id` identifies a message in the database. */
  deliver(write: (version: Version) => string | Uint8Array | undefined, id?: string): void {
    if (this.#isClosed || (this.isPrivate && this.mayRead.broadcast !== true)) return
    if (id !== undefined && this.#replayed.has(id)) return
    this.#outlet.transmit(write(this.#outlet.version))
    this.#realm.rates.events.add()
    if (tooManyEvents(this.#realm)) this.expel('Too many messages per second')
  }

  /** Whether it receives presence messages. */
  get seesPresence(): boolean {
    return !this.isPrivate || this.mayRead.presence === true
  }

  system(extension: string, status: 'ok' | 'error', message: string): void {
    this.push('system', { extension, status, message, channel: this.topic })
  }

  /** Applies the claims of a new token; only its read permissions are checked so far. */
  renew({ claims, token }: Identity, mayRead: Permissions): void {
    this.claims = claims
    this.token = token
    this.mayRead = mayRead
    this.mayWrite = undefined
  }

  /** Closes the channel from the server's side, with a reason. */
  expel(message: string): void {
    this.system('system', 'error', message)
    this.end('phx_close', {})
  }

  /** Closes it with a final frame that carries its join reference. */
  end(event: 'phx_close' | 'phx_error', payload: object): void {
    if (this.#isClosed) return
    const { joinRef, wireTopic: topic } = this
    this.#outlet.send({ joinRef, ref: joinRef, topic, event, payload })
    this.close()
    this.#outlet.onEnd(this)
  }

  /** Closes it when its token has expired. */
  expireBy(now: number): void {
    const { exp } = this.claims
    const ago = Math.floor(now / 1_000) - (exp ?? Infinity)
    if (ago >= 0) this.expel(expiredSince(ago))
  }

  close(): void {
    this.#isClosed = true
    this.subscriptions = []
  }
}
