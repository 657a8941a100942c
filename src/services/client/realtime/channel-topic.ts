// A topic for an app: its status, its presence, and the listeners of all its uses.
import {
  changeKey,
  type ChannelMessage,
  type ChannelStatus,
  type PostgresChange,
  type PresenceState,
} from '../../../machines/index.ts'
import { isEqual } from '../../../trace/index.ts'
import type { ChannelEvents, ChannelOptions } from './channel-types.ts'
import type { PresenceDiff } from './presence-diff.ts'

export interface Listener {
  readonly kind: keyof ChannelEvents
  readonly call: (data: unknown, wanted?: PostgresChange) => void
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

export const WAITING: ChannelStatus = { phase: 'waiting', postgres: 'none', data: 'none' }
export const LEFT: ChannelStatus = { phase: 'left', postgres: 'none', data: 'none' }

/**
 * @param now returns the current status; callers and listeners see it at the same time
 * @param diff returns joins and leaves; available once a user can be present
 */
export function createTopic(now: () => ChannelStatus, diff: PresenceDiff): Topic {
  const uses = new Set<Use>()
  let presence: PresenceState = {}
  let reported = WAITING

  /** Notifies each listener in its own microtask, so that one that throws does not affect the others. */
  const report = <K extends keyof ChannelEvents>(
    kind: K,
    data: ChannelEvents[K],
    wanted?: PostgresChange,
  ) => {
    for (const use of uses) {
      if (wanted && !wants(use, wanted)) continue
      for (const listener of use.listeners)
        if (listener.kind === kind)
          queueMicrotask(() => {
            if (use.listeners.has(listener)) listener.call(data, wanted)
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

const wants = ({ options: { postgresChanges = [] } }: Use, wanted: PostgresChange): boolean =>
  postgresChanges.some(change => changeKey(change) === changeKey(wanted))
