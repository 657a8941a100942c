// One socket: reads its frames, keeps its channels and answers.
import type { RawData, WebSocket } from 'ws'
import { Channel, TOPIC_PREFIX, type Outlet } from './channel.ts'
import { readJoin, type JoinConfig } from './join-config.ts'
import {
  decodeBinary,
  decodeText,
  encodeBroadcast,
  encodeText,
  type Frame,
  type Version,
} from './protocol.ts'
import { fieldOf, textOf } from '../fields.ts'
import type { Changes } from './changes.ts'
import type { Hub } from './hub.ts'
import type { Claims, Identified, Tokens } from '../tokens.ts'

export interface ConnectionDependencies {
  readonly hub: Hub
  readonly changes: Changes
  readonly tokens: Tokens
  /** Whether the policies on realtime.messages let these claims use a private topic. */
  mayUse(claims: Claims, topic: string): Promise<boolean>
  nextId(): number
}

/** Above this a client reads too slowly, and is let go rather than kept in memory. */
const LARGEST_BACKLOG = 16 * 1024 * 1024

const REFUSALS = {
  tokenExpired: 'InvalidJWTToken: Token has expired',
  tokenInvalid: 'JwtSignatureError: Failed to validate JWT signature',
  noKey: 'Unauthorized: No API key or token',
  wrongKey: 'Unauthorized: Invalid API key',
  secretInBrowser: 'Unauthorized: Forbidden use of secret API key in browser',
} as const

export class Connection {
  lastHeard = Date.now()
  readonly #socket: WebSocket
  readonly #version: Version
  readonly #apikey: string
  readonly #with: ConnectionDependencies
  readonly #channels = new Map<string, Channel>()
  readonly #outlet: Outlet = {
    send: frame => this.#send(frame),
    broadcast: (topic, message) => this.#transmit(encodeBroadcast(this.#version, topic, message)),
    ended: channel => this.#forget(channel),
  }
  #pending: Promise<void> = Promise.resolve()

  constructor(socket: WebSocket, version: Version, apikey: string, dependencies: ConnectionDependencies) {
    this.#socket = socket
    this.#version = version
    this.#apikey = apikey
    this.#with = dependencies
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary))
    socket.on('close', () => this.#leaveAll())
    // A frame that is too large or malformed is reported here; ws then closes with the right code.
    socket.on('error', () => undefined)
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason)
  }

  terminate(): void {
    this.#socket.terminate()
  }

  /** Frames are handled in order, for a join waits on the database and a broadcast may follow it at once. */
  #receive(data: RawData, isBinary: boolean): void {
    this.lastHeard = Date.now()
    this.#pending = this.#pending.then(async () => {
      try {
        const bytes = toBytes(data)
        await this.#handle(isBinary ? decodeBinary(bytes) : decodeText(this.#version, bytes.toString('utf8')))
      } catch {
        this.#socket.close(1007, 'invalid frame')
      }
    })
  }

  async #handle(frame: Frame): Promise<void> {
    if (frame.topic === 'phoenix' && frame.event === 'heartbeat') return this.#reply(frame, 'ok')
    if (frame.event === 'phx_join') return this.#join(frame)
    const channel = this.#channels.get(frame.topic)
    if (!channel) return this.#reply(frame, 'error', { reason: 'unmatched topic' })
    switch (frame.event) {
      case 'phx_leave':
        this.#forget(channel)
        return this.#reply(frame, 'ok')
      case 'access_token':
        return this.#renew(channel, frame.payload)
      case 'broadcast':
        return this.#broadcast(channel, frame)
      case 'presence':
        return this.#presence(channel, frame)
      default:
        return this.#reply(frame, 'error', { reason: `Unhandled event ${frame.event}` })
    }
  }

  async #join(frame: Frame): Promise<void> {
    const config = readJoin(frame.payload)
    if (!frame.topic.startsWith(TOPIC_PREFIX) || frame.topic === TOPIC_PREFIX || !config) {
      return this.#reply(frame, 'error', { reason: 'unmatched topic' })
    }
    const identified = await this.#with.tokens.identify(this.#apikey, config.accessToken)
    const refusal = await this.#refuseJoin(identified, config, frame.topic.slice(TOPIC_PREFIX.length))
    if (refusal !== undefined || 'refusal' in identified)
      return this.#reply(frame, 'error', { reason: refusal })
    if (this.#socket.readyState !== this.#socket.OPEN) return
    const earlier = this.#channels.get(frame.topic)
    if (earlier) {
      earlier.push('phx_close', {})
      this.#forget(earlier)
    }
    this.#open(frame, config, identified.claims)
  }

  #open(frame: Frame, config: JoinConfig, claims: Claims): void {
    const options = {
      wireTopic: frame.topic,
      joinRef: frame.joinRef ?? frame.ref,
      config,
      claims,
      token: config.accessToken,
    }
    const channel = new Channel(options, this.#outlet)
    this.#channels.set(frame.topic, channel)
    this.#with.hub.add(channel)
    const requests = config.changes.map(request => ({ request, id: this.#with.nextId() }))
    this.#reply(frame, 'ok', { postgres_changes: requests.map(({ request, id }) => ({ ...request, id })) })
    if (channel.presenceEnabled) channel.push('presence_state', this.#with.hub.presenceState(channel))
    if (requests.length > 0) void channel.subscribe(this.#with.changes, requests)
  }

  async #refuseJoin(identified: Identified, config: JoinConfig, topic: string): Promise<string | undefined> {
    if ('refusal' in identified) return REFUSALS[identified.refusal]
    if (!config.isPrivate || (await this.#with.mayUse(identified.claims, topic))) return undefined
    return `Unauthorized: You do not have permissions to read from this Channel topic: ${topic}`
  }

  async #renew(channel: Channel, payload: unknown): Promise<void> {
    const token = textOf(payload, 'access_token')
    if (token === undefined || token.startsWith('sb_') || token === channel.token) return
    const identified = await this.#with.tokens.identify(this.#apikey, token)
    if ('refusal' in identified) return channel.expel(REFUSALS[identified.refusal])
    channel.renew(token, identified.claims)
  }

  #broadcast(channel: Channel, frame: Frame): void {
    const event = textOf(frame.payload, 'event')
    if (event === undefined) return this.#reply(frame, 'error', { reason: 'A broadcast needs an event' })
    const message = { event, payload: fieldOf(frame.payload, 'payload') }
    this.#with.hub.broadcast(channel.topic, channel.isPrivate, message, channel)
    if (channel.ack) this.#reply(frame, 'ok')
  }

  #presence(channel: Channel, frame: Frame): void {
    const action = textOf(frame.payload, 'event')?.toLowerCase()
    const data = fieldOf(frame.payload, 'payload')
    if (action === 'track') this.#with.hub.track(channel, typeof data === 'object' ? { ...data } : {})
    else if (action === 'untrack') this.#with.hub.untrack(channel)
    else return this.#reply(frame, 'error', { reason: `Unknown presence event ${action}` })
    this.#reply(frame, 'ok')
  }

  #forget(channel: Channel): void {
    if (this.#channels.get(channel.wireTopic) === channel) this.#channels.delete(channel.wireTopic)
    channel.close()
    this.#with.hub.remove(channel)
  }

  #leaveAll(): void {
    for (const channel of this.#channels.values()) this.#forget(channel)
  }

  #reply(frame: Frame, status: 'ok' | 'error', response: unknown = {}): void {
    this.#send({ ...frame, event: 'phx_reply', payload: { status, response } })
  }

  #send(frame: Frame): void {
    this.#transmit(encodeText(this.#version, frame))
  }

  #transmit(data: string | Uint8Array | undefined): void {
    if (data === undefined || this.#socket.readyState !== this.#socket.OPEN) return
    if (this.#socket.bufferedAmount > LARGEST_BACKLOG) this.#socket.terminate()
    else this.#socket.send(data)
  }
}

function toBytes(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data)
  return data instanceof ArrayBuffer ? Buffer.from(data) : data
}
