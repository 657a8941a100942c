// Channel handles: what an app holds of a topic; several share one channel actor, the last to leave ends it.
import type {
  BroadcastSettled,
  ChannelCommand,
  ChannelMessage,
  ChannelOptions,
  PresenceState,
} from '../machines/channel-events.ts'
import type { ChannelReport } from '../machines/channel.ts'
import type { ChannelStatus, ClientStatus } from '../machines/status.ts'
import type { ChannelEvents, ChannelHandle, Result } from './client-types.ts'

interface Topic {
  uses: number
  presence: PresenceState
  status: ChannelStatus
  readonly listeners: Set<{ readonly kind: keyof ChannelEvents; readonly call: (data: unknown) => void }>
}

export interface ChannelHost {
  join(topic: string, options: ChannelOptions): void
  leave(topic: string): void
  command(topic: string, command: ChannelCommand): void
  /** A new, unused id. */
  id(): string
}

const WAITING: ChannelStatus = { phase: 'waiting', postgres: 'none' }
const LEFT: ChannelStatus = { phase: 'left', postgres: 'none' }

export function createChannelHandles(host: ChannelHost) {
  const topics = new Map<string, Topic>()
  const pending = new Map<string, (result: Result<void>) => void>()

  const tell = <K extends keyof ChannelEvents>(topic: Topic | undefined, kind: K, data: ChannelEvents[K]) => {
    for (const listener of topic?.listeners ?? []) if (listener.kind === kind) listener.call(data)
  }

  const hear = (name: string, message: ChannelMessage) => {
    const topic = topics.get(name)
    if (!topic) return
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

  const settle = ({ id, reason }: BroadcastSettled) => {
    const done = pending.get(id)
    pending.delete(id)
    done?.(
      reason === undefined
        ? { ok: true, value: undefined }
        : { ok: false, failure: { kind: 'network', message: `The message was not sent: ${reason}.` } },
    )
  }

  return {
    open(name: string, options: ChannelOptions = {}): ChannelHandle {
      const topic: Topic = topics.get(name) ?? {
        uses: 0,
        presence: {},
        status: WAITING,
        listeners: new Set(),
      }
      topics.set(name, topic)
      topic.uses++
      host.join(name, options)
      return handle(host, name, topic, pending, () => {
        if (--topic.uses === 0) topics.delete(name)
      })
    },

    report(report: ChannelReport) {
      if (report.type === 'channel.message') hear(report.topic, report.message)
      else settle(report.settled)
    },

    /** Takes over the statuses that the client derived and tells those that changed. */
    update({ channels }: ClientStatus) {
      for (const [name, topic] of topics) {
        const status = channels[name] ?? WAITING
        const { phase, postgres, reason } = topic.status
        if (status.phase === phase && status.postgres === postgres && status.reason === reason) continue
        topic.status = status
        if (status.phase !== 'joined') topic.presence = {}
        tell(topic, 'status', status)
        if (status.phase !== 'joined') tell(topic, 'presence', topic.presence)
      }
    },

    dispose() {
      for (const topic of topics.values()) topic.status = LEFT
      for (const id of pending.keys())
        settle({ type: 'broadcast.settled', id, reason: 'the client was disposed' })
    },
  }
}

const channelLeft: Result<void> = {
  ok: false,
  failure: { kind: 'aborted', message: 'The channel was left.' },
}

function handle(
  host: ChannelHost,
  name: string,
  topic: Topic,
  pending: Map<string, (result: Result<void>) => void>,
  release: () => void,
): ChannelHandle {
  const ids = new Set<string>()
  const mine = new Set<{ readonly kind: keyof ChannelEvents; readonly call: (data: unknown) => void }>()
  let left = false
  return {
    topic: name,
    status: () => (left ? LEFT : topic.status),
    presence: () => (left ? {} : topic.presence),
    on(kind, listener) {
      const entry = { kind, call: listener as (data: unknown) => void }
      topic.listeners.add(entry)
      mine.add(entry)
      return () => {
        topic.listeners.delete(entry)
        mine.delete(entry)
      }
    },
    send: (event, payload) =>
      new Promise(resolve => {
        if (left)
          return resolve({ ok: false, failure: { kind: 'aborted', message: 'The channel was left.' } })
        const id = host.id()
        pending.set(id, resolve)
        host.command(name, { type: 'broadcast.send', id, event, payload })
      }),
    track: meta => host.command(name, { type: 'presence.track', meta }),
    untrack: () => host.command(name, { type: 'presence.untrack' }),
    leave() {
      if (left) return
      left = true
      for (const entry of mine) topic.listeners.delete(entry)
      for (const id of ids) pending.get(id)?.(channelLeft)
      release()
      host.leave(name)
    },
  }
}
