// Channel handles: what an app holds of a topic; several share one channel actor, the last to leave ends it.
import type {
  BroadcastSettled,
  ChannelCommand,
  ChannelMessage,
  ChannelOptions,
  PresenceState,
} from '../machines/channel-events.ts'
import type { ChannelReport } from '../machines/channel.ts'
import type { Failure } from '../machines/failure.ts'
import type { ChannelStatus, ClientStatus } from '../machines/status.ts'
import type { ChannelEvents, ChannelHandle, Result } from './client-types.ts'

interface Listener {
  readonly kind: keyof ChannelEvents
  readonly call: (data: unknown) => void
}

interface Topic {
  uses: number
  presence: PresenceState
  status: ChannelStatus
  readonly listeners: Set<Listener>
}

/** Says how a message that was sent ended; by its id. */
type Pending = Map<string, (result: Result<void>) => void>

export interface ChannelHost {
  join(topic: string, options: ChannelOptions): void
  leave(topic: string): void
  command(topic: string, command: ChannelCommand): void
  /** A new, unused id. */
  id(): string
}

const WAITING: ChannelStatus = { phase: 'waiting', postgres: 'none' }
const LEFT: ChannelStatus = { phase: 'left', postgres: 'none' }

const channelLeft: Result<void> = {
  ok: false,
  failure: { kind: 'aborted', message: 'The channel was left.' },
}
const disposed: Result<void> = {
  ok: false,
  failure: { kind: 'disposed', message: 'The client was disposed.' },
}

export function createChannelHandles(host: ChannelHost) {
  const topics = new Map<string, Topic>()
  const pending: Pending = new Map()
  let isDisposed = false

  return {
    open(name: string, options: ChannelOptions = {}): ChannelHandle {
      const topic = topics.get(name) ?? { uses: 0, presence: {}, status: WAITING, listeners: new Set() }
      topics.set(name, topic)
      topic.uses++
      host.join(name, options)
      const release = () => {
        if (--topic.uses === 0) topics.delete(name)
        host.leave(name)
      }
      return createHandle({ host, name, topic, pending, release, isDisposed: () => isDisposed })
    },

    report(report: ChannelReport) {
      if (report.type === 'channel.settled') return settle(pending, report.settled)
      const topic = topics.get(report.topic)
      if (topic) hear(topic, report.message)
    },

    /** Takes over the statuses that the client derived and tells those that changed. */
    update({ channels }: ClientStatus) {
      if (isDisposed) return
      for (const [name, topic] of topics)
        show(topic, (Object.hasOwn(channels, name) ? channels[name] : undefined) ?? WAITING)
    },

    dispose() {
      isDisposed = true
      for (const done of pending.values()) done(disposed)
      for (const topic of topics.values()) show(topic, LEFT)
    },
  }
}

/** Tells each listener in a task of its own, so that one that throws takes nothing from the others. */
function tell<K extends keyof ChannelEvents>({ listeners }: Topic, kind: K, data: ChannelEvents[K]): void {
  for (const listener of listeners) if (listener.kind === kind) queueMicrotask(() => listener.call(data))
}

function hear(topic: Topic, message: ChannelMessage): void {
  switch (message.type) {
    case 'broadcast.received':
      return tell(topic, 'broadcast', { event: message.event, payload: message.payload })
    case 'presence.synced':
      topic.presence = message.state
      return tell(topic, 'presence', message.state)
    case 'postgres.changed':
      return tell(topic, 'change', message.change)
  }
}

function show(topic: Topic, status: ChannelStatus): void {
  const { phase, postgres, reason } = topic.status
  if (status.phase === phase && status.postgres === postgres && status.reason === reason) return
  topic.status = status
  tell(topic, 'status', status)
  if (status.phase === 'joined' || Object.keys(topic.presence).length === 0) return
  topic.presence = {}
  tell(topic, 'presence', topic.presence)
}

function settle(pending: Pending, { id, reason }: BroadcastSettled): void {
  const failure: Failure = { kind: 'network', message: `The message was not sent: ${reason}.` }
  pending.get(id)?.(reason === undefined ? { ok: true, value: undefined } : { ok: false, failure })
}

interface HandleParts {
  readonly host: ChannelHost
  readonly name: string
  readonly topic: Topic
  readonly pending: Pending
  readonly release: () => void
  readonly isDisposed: () => boolean
}

function createHandle({ host, name, topic, pending, release, isDisposed }: HandleParts): ChannelHandle {
  const listening = new Set<Listener>()
  const sending = new Set<(result: Result<void>) => void>()
  let left = false
  const send = (event: string, payload: unknown, resolve: (result: Result<void>) => void) => {
    if (left || isDisposed()) return resolve(left ? channelLeft : disposed)
    const id = host.id()
    const done = (result: Result<void>) => {
      pending.delete(id)
      sending.delete(done)
      resolve(result)
    }
    pending.set(id, done)
    sending.add(done)
    host.command(name, { type: 'broadcast.send', id, event, payload })
  }
  return {
    topic: name,
    status: () => (left ? LEFT : topic.status),
    presence: () => (left ? {} : topic.presence),
    on(kind, listener) {
      const entry = { kind, call: listener as (data: unknown) => void }
      topic.listeners.add(entry)
      listening.add(entry)
      return () => {
        topic.listeners.delete(entry)
        listening.delete(entry)
      }
    },
    send: (event, payload) => new Promise(resolve => send(event, payload, resolve)),
    track: meta => host.command(name, { type: 'presence.track', meta }),
    untrack: () => host.command(name, { type: 'presence.untrack' }),
    leave() {
      if (left) return
      left = true
      for (const entry of listening) topic.listeners.delete(entry)
      for (const done of sending) done(channelLeft)
      release()
    },
  }
}
