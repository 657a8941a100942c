// Channel handles: an app's references to a topic. Several handles share one channel actor, which ends with
// the last `leave`. A topic has a status, a presence, and the listeners of all its uses.
import {
  type ChannelCommand,
  type ChannelEmitted,
  type ChannelOptions as TopicOptions,
  type ChannelStatus,
  type ClientStatus,
  type Failure,
  type PushSettled,
  changeKey,
  disposed,
  type ChannelMessage,
  type PostgresChange,
  type PresenceState,
} from '../../../machines/index.ts'
import type { PresenceDiff, Broadcast } from './realtime-over.ts'
import type { ChannelHandle, ChannelOptions, ChannelEvents } from './channel-types.ts'
import type { Result } from '../client-types.ts'
import type { KeepAlive } from '../../runtime/index.ts'
import { isEqual } from '../../../trace/index.ts'

export interface ChannelHost {
  join(topic: string, use: string, options: TopicOptions): void
  leave(topic: string, use: string): void
  command(topic: string, command: ChannelCommand): void
  status(): ClientStatus
  onStatus(listener: () => void): () => void
  /** A process runs while a channel is in use. */
  readonly keepAlive: KeepAlive
  /** Why no channel can be opened at present. */
  reason(): string | undefined
  /** Sends a message over HTTP, if possible. */
  post(message: Broadcast): Promise<Result<void>> | undefined
  /** Returns a new, unused id. */
  id(): string
  /** Called once a user is present. */
  readonly presenceDiff: PresenceDiff
}

/** The end of a command: the server's response, or why it is no longer awaited. */
type End = PushSettled | Failure
type Pending = Map<string, (end: End) => void>

const channelLeft: Failure = { kind: 'aborted', message: 'The channel was left.' }

export function createChannelHandles(host: ChannelHost) {
  const topics = new Map<string, Topic>()
  const pending: Pending = new Map()
  let isDisposed = false
  let pushes = 0
  const nextPush = () => `push-${++pushes}`
  /** Set while there are topics. */
  let stop: (() => void) | undefined
  const statusOf = (name: string): ChannelStatus => {
    const { channels } = host.status()
    if (isDisposed) return LEFT
    const reason = host.reason()
    return (
      (Object.hasOwn(channels, name) ? channels[name] : undefined) ??
      (reason === undefined ? WAITING : { ...WAITING, reason })
    )
  }

  const follow = () => {
    const unsubscribe = host.onStatus(update)
    const letEnd = host.keepAlive()
    return () => {
      unsubscribe()
      letEnd()
    }
  }

  const update = () => {
    for (const [name, topic] of topics) topic.show(statusOf(name))
  }

  return {
    open(name: string, options: ChannelOptions = {}): ChannelHandle {
      check(name, options)
      const topic = topics.get(name) ?? createTopic(() => statusOf(name), host.presenceDiff)
      topics.set(name, topic)
      stop ??= follow()
      const use: Use = { options, listeners: new Set() }
      topic.uses.add(use)
      const id = host.id()
      if (!isDisposed) host.join(name, id, plain(options))
      const release = () => {
        topic.uses.delete(use)
        if (topic.uses.size === 0) topics.delete(name)
        if (topics.size === 0) {
          stop?.()
          stop = undefined
        }
        if (!isDisposed) host.leave(name, id)
      }
      return createHandle({
        host,
        name,
        topic,
        use,
        pending,
        release,
        nextPush,
        isDisposed: () => isDisposed,
      })
    },

    report(report: ChannelEmitted) {
      if (report.type === 'channel.settled') pending.get(report.settled.id)?.(report.settled)
      else topics.get(report.topic)?.receive(report.message)
    },

    /** Calls every `resync` option of a topic. */
    resync: (name: string): Promise<unknown> =>
      Promise.all([...(topics.get(name)?.uses ?? [])].map(async ({ options }) => options.resync?.())),

    /** Emits changed statuses. */
    update,

    dispose() {
      isDisposed = true
      stop?.()
      stop = undefined
      for (const done of pending.values()) done(disposed)
      for (const topic of topics.values()) topic.show(LEFT)
    },
  }
}

const OPTIONS = [
  'broadcast',
  'postgresChanges',
  'presence',
  'private',
  'resync',
] satisfies (keyof ChannelOptions)[]

/** Validates arguments of untyped apps: inside a machine they would end the whole client. */
function check(name: unknown, options: { readonly postgresChanges?: unknown }): void {
  if (typeof name !== 'string' || name === '') throw new TypeError('A channel needs a topic, e.g. "bridge".')
  if (typeof options !== 'object')
    throw new TypeError('The options of a channel must be an object. Listen with `handle.on(…)`.')
  const unknownOption = Object.keys(options).find(key => !OPTIONS.some(option => option === key))
  if (unknownOption !== undefined)
    throw new TypeError(
      `There is no channel option \`${unknownOption}\`. ${
        unknownOption === 'config'
          ? 'Pass what it contains: channel(topic, { broadcast, presence, private }).'
          : `Use ${OPTIONS.join(', ')}.`
      }`,
    )
  const { postgresChanges } = options
  if (postgresChanges === undefined) return
  if (Array.isArray(postgresChanges) && postgresChanges.every(isKindOfChange)) return
  throw new TypeError(
    '`postgresChanges` must be a list such as [{ event: "*", schema: "public", table: "vessels" }].',
  )
}

const isKindOfChange = (kind: Partial<Record<string, unknown>> | null): boolean =>
  typeof kind?.['event'] === 'string' && typeof kind['schema'] === 'string'

/** Returns the options for the machines: all except those that only the handle uses. */
function plain(topicOptions: ChannelOptions): TopicOptions {
  const { resync: _, broadcast, ...options } = topicOptions
  const { fallback: __, ...rest } = broadcast ?? {}
  return broadcast ? { ...options, broadcast: rest } : options
}

interface HandleParts {
  readonly host: ChannelHost
  readonly name: string
  readonly topic: Topic
  readonly use: Use
  readonly pending: Pending
  readonly release: () => void
  readonly nextPush: () => string
  readonly isDisposed: () => boolean
}

type Ask = ChannelCommand extends infer C ? (C extends ChannelCommand ? Omit<C, 'id'> : never) : never

function createHandle({
  host,
  name,
  topic,
  use,
  pending,
  release,
  nextPush,
  isDisposed,
}: HandleParts): ChannelHandle {
  const { listeners, options } = use
  const waiting = new Set<(end: End) => void>()
  let left = false

  const ask = (command: Ask): Promise<End> =>
    new Promise(resolve => {
      if (left || isDisposed()) return resolve(left ? channelLeft : disposed)
      const id = nextPush()
      const done = (end: End) => {
        pending.delete(id)
        waiting.delete(done)
        resolve(end)
      }
      pending.set(id, done)
      waiting.add(done)
      host.command(name, { ...command, id } as ChannelCommand)
    })

  return {
    topic: name,
    status: () => (left ? LEFT : topic.status()),
    presence: () => (left ? {} : topic.presence()),
    on(kind, listener) {
      const entry: Listener = { kind, call: listener as Listener['call'] }
      listeners.add(entry)
      return () => void listeners.delete(entry)
    },
    async send(event, messagePayload, { persist } = {}) {
      const payload = bytesOf(messagePayload)
      const end = await ask({ type: 'broadcast.send', event, payload, ...(persist && { persist }) })
      // The endpoint for several messages stores none.
      if (!('isUnsent' in end) || persist || options.broadcast?.fallback !== 'http') return resultOf(end)
      const isPrivate = options.private === true
      return host.post({ topic: name, event, payload, isPrivate }) ?? resultOf(end)
    },
    track: async meta => resultOf(await ask({ type: 'presence.track', meta })),
    untrack: async () => resultOf(await ask({ type: 'presence.untrack' })),
    leave() {
      if (left) return
      left = true
      listeners.clear()
      for (const done of waiting) done(channelLeft)
      release()
    },
  }
}

function resultOf(end: End): Result<void> {
  if ('kind' in end) return { ok: false, failure: end }
  const { reason } = end
  if (reason === undefined) return { ok: true, value: undefined }
  const kind = reason === 'timed out' ? 'timeout' : 'network'
  return { ok: false, failure: { kind, message: `The message was not sent: ${reason}.` } }
}

/** Converts views to plain buffers, which are sent as binary. */
const bytesOf = (payload: unknown): unknown =>
  ArrayBuffer.isView(payload)
    ? payload.buffer.slice(payload.byteOffset, payload.byteOffset + payload.byteLength)
    : payload

export interface Listener {
  readonly kind: keyof ChannelEvents
  readonly call: (data: unknown, filter?: PostgresChange) => void
}

/** The options and listeners of one handle. */
export interface Use {
  readonly options: ChannelOptions
  readonly listeners: Set<Listener>
}

export interface Topic {
  readonly uses: Set<Use>
  readonly presence: () => PresenceState
  readonly status: () => ChannelStatus
  receive(message: ChannelMessage): void
  /** Sets the status and emits it if it changed. */
  show(status: ChannelStatus): void
}

const WAITING: ChannelStatus = { phase: 'waiting', postgres: 'none', data: 'none' }
const LEFT: ChannelStatus = { phase: 'left', postgres: 'none', data: 'none' }

/**
 * @param now returns the current status; callers and listeners see it at the same time
 * @param diff returns joins and leaves; available once a user can be present
 */
function createTopic(now: () => ChannelStatus, diff: PresenceDiff): Topic {
  const uses = new Set<Use>()
  let presence: PresenceState = {}
  let reported = WAITING

  /** Notifies each listener in its own microtask, so that one that throws does not affect the others. */
  const report = <K extends keyof ChannelEvents>(
    kind: K,
    data: ChannelEvents[K],
    filter?: PostgresChange,
  ) => {
    for (const use of uses) {
      if (filter && !wants(use, filter)) continue
      for (const listener of use.listeners)
        if (listener.kind === kind)
          queueMicrotask(() => {
            if (use.listeners.has(listener)) listener.call(data, filter)
          })
    }
  }

  const see = (state: PresenceState) => {
    const { joins, leaves } = diff(presence, state)
    presence = state
    for (const change of joins) report('join', change)
    for (const change of leaves) report('leave', change)
    report('presence', state)
  }

  const show = (next: ChannelStatus) => {
    const before = reported
    if (isEqual(before, next)) return
    reported = next
    report('status', next)
    const { phase, data, reason } = next
    if (data === 'gap' && before.data !== 'gap' && before.data !== 'none')
      report('gap', { ...(reason !== undefined && { reason }) })
    // The server sends no further presence updates.
    if ((phase === 'denied' || phase === 'left') && Object.keys(presence).length > 0) see({})
  }

  return {
    uses,
    presence: () => presence,
    status() {
      show(now())
      return reported
    },
    show,
    receive(message) {
      const { type: _, ...data } = message
      switch (message.type) {
        case 'presence.synced':
          return see(message.state)
        case 'postgres.changed':
          return report('change', message.change, message.wanted)
        case 'broadcast.received':
          return report('broadcast', data as ChannelEvents['broadcast'])
        case 'system.received':
          return report('system', data as ChannelEvents['system'])
      }
    },
  }
}

const wants = ({ options: { postgresChanges = [] } }: Use, filter: PostgresChange): boolean =>
  postgresChanges.some(change => changeKey(change) === changeKey(filter))
