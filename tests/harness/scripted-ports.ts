// Ports that follow a script: for each start of an effect, which events they emit and when.
import { fromCallback, type EventObject } from 'xstate'
import type {
  ChannelCommand,
  ChannelOptions,
  TopicEvent,
} from '../../src/machines/realtime/channel-events.ts'
import type { Token } from '../../src/machines/session/gate.ts'
import type {
  AuthenticateEvent,
  EnvironmentEvent,
  StoreSessionEvent,
  LeadershipEvent,
  LoadUserEvent,
  LockEvent,
  CheckNameEvent,
  ReadEvent,
  RefreshTokenEvent,
  RemoveEvent,
  RevokeEvent,
  SendEvent,
  ProbeEvent,
  ResyncEvent,
  SocketCommand,
  SocketEvent,
  SocketInput,
  TabsEvent,
  TransferEvent,
  UrlEvent,
} from '../../src/machines/ports.ts'
import type { Clock } from '../../src/services/runtime/clock.ts'
import type { ClientPorts } from '../../src/services/client/compose-client.ts'
import { createTickerPort } from '../../src/services/client/environment.ts'

/** Events with the milliseconds after the start at which they are emitted; 0 is at once, inside the start. */
export type Script<E> = readonly (readonly [after: number, event: E])[]

/** One behavior per port; `n` counts the starts of that port from 1. */
export interface Behavior {
  environment: () => Script<EnvironmentEvent>
  detectUrl: () => Script<UrlEvent>
  /** With `tokenId` it checks what other tabs stored. */
  readSession: (n: number, input: { readonly tokenId?: string } | undefined) => Script<ReadEvent>
  lock: (n: number, input: { readonly steal: boolean }) => Script<LockEvent>
  leadership: (n: number) => Script<LeadershipEvent>
  tabs: (n: number) => Script<TabsEvent>
  authenticate: (n: number) => Script<AuthenticateEvent>
  storeSession: (n: number) => Script<StoreSessionEvent>
  loadUser: (n: number) => Script<LoadUserEvent>
  refreshToken: (n: number, input: { readonly tokenId: string }) => Script<RefreshTokenEvent>
  removeSession: (n: number) => Script<RemoveEvent>
  revoke: (n: number) => Script<RevokeEvent>
  send: (n: number, input: { readonly id: string; readonly tokenId: string | undefined }) => Script<SendEvent>
  /** Answers each check whether a streaming body makes progress. */
  body: () => Script<SendEvent>
  socket: (n: number, input: SocketInput) => Script<SocketEvent>
  /** What follows on a probe. */
  probe: () => Script<SocketEvent>
  probeSocket: (n: number) => Script<ProbeEvent>
  topic: (
    n: number,
    input: { readonly topic: string; readonly options: ChannelOptions },
  ) => Script<TopicEvent>
  command: (command: ChannelCommand) => Script<TopicEvent>
  resync: (n: number, input: { readonly topic: string }) => Script<ResyncEvent>
  checkName: (n: number, input: { readonly path: string }) => Script<CheckNameEvent>
  transfer: (
    n: number,
    input: { readonly id: string; readonly path: string; readonly replace: boolean },
  ) => Script<TransferEvent>
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

/** A healthy world: everything succeeds at once or soon. */
export function healthy(clock: Clock): Behavior {
  return {
    environment: () => [[0, { type: 'environment.changed', online: true, visible: true }]],
    detectUrl: () => [[0, { type: 'url.none' }]],
    readSession: (_, input) => [
      [
        input?.tokenId === undefined ? 1 : 0,
        input?.tokenId === undefined ? { type: 'stored.none' } : { type: 'stored.same' },
      ],
    ],
    lock: () => [[0, { type: 'lock.held' }]],
    leadership: () => [[0, { type: 'leadership.gained' }]],
    tabs: () => [],
    authenticate: n => [[20, { type: 'auth.succeeded', token: token(clock, n) }]],
    storeSession: n => [[5, { type: 'session.stored', token: token(clock, n + 200) }]],
    loadUser: n => [[5, { type: 'user.loaded', token: token(clock, n + 300) }]],
    refreshToken: n => [[20, { type: 'refresh.succeeded', token: token(clock, n + 100) }]],
    removeSession: () => [[1, { type: 'stored.removed' }]],
    revoke: () => [[10, { type: 'revoke.succeeded' }]],
    send: () => [[15, { type: 'send.answered', status: 200 }]],
    body: () => [],
    socket: (_, { freshUntil = Infinity }) =>
      clock.now() >= freshUntil ? [[0, { type: 'socket.stale' }]] : [[10, { type: 'socket.opened' }]],
    probe: () => [[3, { type: 'socket.alive' }]],
    probeSocket: () => [[5, { type: 'probe.failed' }]],
    topic: (_, { options: { postgresChanges = [] } }) => [
      [5, { type: 'topic.joined' }],
      ...(postgresChanges.length > 0 ? ([[10, { type: 'postgres.subscribed' }]] as const) : []),
    ],
    command: ({ id }) => (id === undefined ? [] : [[3, { type: 'push.settled', id }]]),
    resync: () => [[5, { type: 'resync.done' }]],
    checkName: () => [[5, { type: 'name.free' }]],
    transfer: () => [[30, { type: 'transfer.done' }]],
  }
}

export function scriptedPorts(clock: Clock, behavior: Behavior): ScriptedPorts {
  const journal: string[] = []
  const counts = new Map<string, number>()

  function scripted<E extends EventObject, I>(
    name: string,
    script: (n: number, input: I) => Script<E>,
    onCommand?: (command: never) => Script<E>,
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
      receive(command => play(onCommand?.(command as never) ?? []))
      play(script(n, input))
      return () => {
        journal.push(`${name} ${n} stopped`)
        for (const timer of timers) clock.clearTimeout(timer)
      }
    })
  }

  const ports = {
    ticker: createTickerPort(clock),
    environment: scripted('environment', behavior.environment),
    detectUrl: scripted('detectUrl', behavior.detectUrl),
    readSession: scripted('readSession', behavior.readSession),
    authenticate: scripted('authenticate', behavior.authenticate),
    storeSession: scripted('storeSession', behavior.storeSession),
    loadUser: scripted('loadUser', behavior.loadUser),
    lock: scripted('lock', behavior.lock),
    leadership: scripted('leadership', behavior.leadership),
    tabs: scripted('tabs', behavior.tabs),
    refreshToken: scripted('refreshToken', behavior.refreshToken),
    removeSession: scripted('removeSession', behavior.removeSession),
    revoke: scripted('revoke', behavior.revoke),
    send: scripted('send', behavior.send, behavior.body),
    socket: scripted('socket', behavior.socket, (command: SocketCommand) =>
      command.type === 'socket.probe' ? behavior.probe() : [],
    ),
    probeSocket: scripted('probeSocket', behavior.probeSocket),
    topic: scripted('topic', behavior.topic, behavior.command),
    resync: scripted('resync', behavior.resync),
    checkName: scripted('checkName', behavior.checkName),
    transfer: scripted('transfer', behavior.transfer),
  }
  return { ports: ports as unknown as ClientPorts, journal }
}
