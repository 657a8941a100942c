// One joined channel: what it hears, whose claims it holds and when its token runs out.
import { randomUUID } from 'node:crypto'
import type { Changes, Subscription } from './changes.ts'
import type { ChangeRequest, JoinConfig } from './join-config.ts'
import type { BroadcastMessage, Frame } from './protocol.ts'
import type { Claims } from '../tokens.ts'

/** The socket's side of a channel. */
export interface Outlet {
  send(frame: Frame): void
  broadcast(wireTopic: string, message: BroadcastMessage): void
  /** The channel has ended by itself and is to be forgotten. */
  ended(channel: Channel): void
}

export interface ChannelOptions {
  readonly wireTopic: string
  readonly joinRef: string | null
  readonly config: JoinConfig
  readonly claims: Claims
  readonly token: string | undefined
}

const LONGEST_TIMER = 2 ** 31 - 1

export const TOPIC_PREFIX = 'realtime:'

export class Channel {
  readonly topic: string
  readonly isPrivate: boolean
  readonly self: boolean
  readonly ack: boolean
  readonly presenceKey: string
  readonly presenceEnabled: boolean
  readonly wireTopic: string
  readonly joinRef: string | null
  claims: Claims
  /** Empty until the server said "Subscribed to PostgreSQL". */
  subscriptions: readonly Subscription[] = []
  token: string | undefined
  readonly #outlet: Outlet
  #expiry: NodeJS.Timeout | undefined
  #isClosed = false

  constructor({ wireTopic, joinRef, config, claims, token }: ChannelOptions, outlet: Outlet) {
    this.wireTopic = wireTopic
    this.topic = wireTopic.slice(TOPIC_PREFIX.length)
    this.joinRef = joinRef
    this.isPrivate = config.isPrivate
    this.self = config.self
    this.ack = config.ack
    this.presenceKey = config.presenceKey ?? randomUUID()
    this.presenceEnabled = config.presenceEnabled
    this.claims = claims
    this.token = token
    this.#outlet = outlet
    this.#watchExpiry()
  }

  push(event: string, payload: unknown): void {
    if (!this.#isClosed) {
      this.#outlet.send({ joinRef: this.joinRef, ref: null, topic: this.wireTopic, event, payload })
    }
  }

  broadcast(message: BroadcastMessage): void {
    if (!this.#isClosed) this.#outlet.broadcast(this.wireTopic, message)
  }

  /** Takes a new token's claims. */
  renew(token: string, claims: Claims): void {
    this.token = token
    this.claims = claims
    this.#watchExpiry()
  }

  /** Turns requests into live subscriptions and says so, or says why not. */
  async subscribe(
    changes: Changes,
    requests: readonly { request: ChangeRequest; id: number }[],
  ): Promise<void> {
    try {
      const subscriptions: Subscription[] = []
      for (const { request, id } of requests) subscriptions.push(await changes.check(request, id))
      if (this.#isClosed) return
      this.subscriptions = subscriptions
      this.#system('postgres_changes', 'ok', 'Subscribed to PostgreSQL')
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'unknown'
      this.#system(
        'postgres_changes',
        'error',
        `Unable to subscribe to changes with given parameters. ${reason}`,
      )
    }
  }

  /** Ends the channel from the server's side, with its reason. */
  expel(message: string): void {
    this.#system('system', 'error', message)
    this.push('phx_close', {})
    this.close()
    this.#outlet.ended(this)
  }

  close(): void {
    this.#isClosed = true
    this.subscriptions = []
    clearTimeout(this.#expiry)
  }

  #system(extension: string, status: 'ok' | 'error', message: string): void {
    this.push('system', { extension, status, message, channel: this.topic })
  }

  #watchExpiry(): void {
    clearTimeout(this.#expiry)
    const { exp } = this.claims
    if (exp === undefined) return
    const left = exp * 1000 - Date.now()
    this.#expiry =
      left > LONGEST_TIMER
        ? setTimeout(() => this.#watchExpiry(), LONGEST_TIMER)
        : setTimeout(() => this.expel('Token has expired 0 seconds ago'), Math.max(left, 0))
  }
}
