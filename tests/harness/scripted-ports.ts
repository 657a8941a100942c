// Ports that follow a script: for each start of an effect, which events come back and when.
import { fromCallback, type EventObject } from 'xstate'
import type { ChannelCommand, TopicEvent } from '../../src/machines/channel-events.ts'
import type { Token } from '../../src/machines/expiry.ts'
import type {
  AuthenticateEvent,
  EnvironmentEvent,
  ReadEvent,
  RefreshTokenEvent,
  RemoveEvent,
  RevokeEvent,
  SendEvent,
  SocketEvent,
} from '../../src/machines/ports.ts'
import type { Clock } from '../../src/services/clock.ts'
import type { ClientPorts } from '../../src/services/compose-client.ts'
import { createTickerPort } from '../../src/services/ticker.ts'

/** Events with the milliseconds after the start at which they come; 0 comes at once, inside the start. */
export type Script<E> = readonly (readonly [after: number, event: E])[]

/** One behaviour a port; `n` counts the starts of that port from 1. */
export interface Behaviour {
  environment: () => Script<EnvironmentEvent>
  readSession: (n: number) => Script<ReadEvent>
  authenticate: (n: number) => Script<AuthenticateEvent>
  refreshToken: (n: number, input: { readonly tokenId: string }) => Script<RefreshTokenEvent>
  removeSession: (n: number) => Script<RemoveEvent>
  revoke: (n: number) => Script<RevokeEvent>
  send: (n: number, input: { readonly id: string; readonly tokenId: string | undefined }) => Script<SendEvent>
  socket: (n: number) => Script<SocketEvent>
  topic: (n: number) => Script<TopicEvent>
  command: (command: ChannelCommand) => Script<TopicEvent>
}

export interface ScriptedPorts {
  readonly ports: ClientPorts
  /** Starts and stops of effects in order, e.g. `refreshToken token-1` and `refreshToken stopped`. */
  readonly journal: string[]
}

/** A token of `lifetime` seconds, received now. */
export function token(clock: Clock, n = 1, lifetime = 3600, userId = 'skipper'): Token {
  const receivedAt = clock.now()
  return {
    id: `token-${n}`,
    receivedAt,
    heldSince: receivedAt,
    expiresAt: receivedAt + lifetime * 1000,
    lifetime: lifetime * 1000,
    aal: 'aal1',
    user: { id: userId, email: `${userId}@harbour.test` },
  }
}

/** A calm harbour: everything succeeds at once or soon. */
export function calm(clock: Clock): Behaviour {
  return {
    environment: () => [[0, { type: 'environment.changed', online: true, visible: true }]],
    readSession: () => [[1, { type: 'stored.none' }]],
    authenticate: n => [[20, { type: 'auth.succeeded', token: token(clock, n) }]],
    refreshToken: n => [[20, { type: 'refresh.succeeded', token: token(clock, n + 100) }]],
    removeSession: () => [[1, { type: 'stored.removed' }]],
    revoke: () => [[10, { type: 'revoke.succeeded' }]],
    send: () => [[15, { type: 'send.answered', status: 200 }]],
    socket: () => [[10, { type: 'socket.opened' }]],
    topic: () => [[5, { type: 'topic.joined' }]],
    command: command =>
      command.type === 'broadcast.send' ? [[3, { type: 'broadcast.settled', id: command.id }]] : [],
  }
}

export function scriptedPorts(clock: Clock, behaviour: Behaviour): ScriptedPorts {
  const journal: string[] = []
  const counts = new Map<string, number>()

  function scripted<E extends EventObject, I>(
    name: string,
    script: (n: number, input: I) => Script<E>,
    onCommand?: (command: ChannelCommand) => Script<E>,
  ) {
    return fromCallback<EventObject, I & {}, E>(({ input, sendBack, receive }) => {
      const n = (counts.get(name) ?? 0) + 1
      counts.set(name, n)
      journal.push(`${name} ${n}`)
      const timers = new Set<unknown>()
      const play = (events: Script<E>) => {
        for (const [after, event] of events) {
          if (after === 0) sendBack(event)
          else timers.add(clock.setTimeout(() => sendBack(event), after))
        }
      }
      receive(command => play(onCommand?.(command as ChannelCommand) ?? []))
      play(script(n, input))
      return () => {
        journal.push(`${name} ${n} stopped`)
        for (const timer of timers) clock.clearTimeout(timer)
      }
    })
  }

  const ports = {
    ticker: createTickerPort(clock),
    environment: scripted('environment', behaviour.environment),
    readSession: scripted('readSession', behaviour.readSession),
    authenticate: scripted('authenticate', behaviour.authenticate),
    refreshToken: scripted('refreshToken', behaviour.refreshToken),
    removeSession: scripted('removeSession', behaviour.removeSession),
    revoke: scripted('revoke', behaviour.revoke),
    send: scripted('send', behaviour.send),
    socket: scripted('socket', behaviour.socket),
    topic: scripted('topic', behaviour.topic, behaviour.command),
  }
  return { ports: ports as unknown as ClientPorts, journal }
}
