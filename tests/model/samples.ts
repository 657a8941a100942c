// Examples of every event that the machines take: enough of each for every guard to return both true and
// false.
import type { EventFromLogic } from 'xstate'
import {
  type Token,
  gateWithBreaker,
  gateWithKey,
  userGate,
  type AuthGate,
} from '../../src/machines/session/gate.ts'
import { type Failure, keyFailure } from '../../src/machines/failure.ts'
import { DEFAULT_TIMINGS } from '../../src/machines/timings.ts'
import type { AttemptOutcome } from '../../src/machines/refresh/attempt.ts'
import type { UploadInfo } from '../../src/machines/uploads/upload-info.ts'
import { changedElsewhere } from '../../src/machines/refresh/setup.ts'
import type { Machines } from '../../scripts/machine-docs/machines.ts'
import { workbenchSamples } from './workbench-samples.ts'

type AnyEvent = { [Id in keyof Machines]: EventFromLogic<Machines[Id]> }[keyof Machines]
/** XState's own events, which are not sent from outside. */
type Derived = `xstate.${string}`
type Types = Exclude<AnyEvent['type'], Derived>
export type Samples = { readonly [Type in Types]: readonly Extract<AnyEvent, { readonly type: Type }>[] }

/** A token with a lifetime of an hour, received at time 0. */
export const hour: Token = {
  id: 'token-1',
  receivedAt: 0,
  heldSince: 0,
  expiresAt: 3_600_000,
  lifetime: 3_600_000,
  aal: 'aal1',
  user: { id: 'skipper' },
}
const next: Token = { ...hour, id: 'token-2' }
const spent: Token = { ...hour, id: 'token-3', expiresAt: 0, receivedAt: -3_600_000 }
const high: Token = { ...next, id: 'token-4', aal: 'aal2' }
const factor: Token = { ...next, id: 'token-5', hasFactor: true }
const mate: Token = { ...next, id: 'token-6', user: { id: 'mate' } }
const ofUser = [next, high, factor]

const network: Failure = { kind: 'network', message: 'The backend cannot be reached.' }
const tooMany: Failure = { kind: 'rateLimit', status: 429, retryAfter: 7, message: 'Too many attempts.' }
const refused: Failure = {
  kind: 'auth',
  status: 400,
  code: 'refresh_token_already_used',
  message: 'Already Used',
}
const bug: Failure = { kind: 'bug', message: 'Unexpected failure inside the client: planted' }

const gates: readonly AuthGate[] = [
  { kind: 'booting' },
  { kind: 'anonymous' },
  userGate(hour, DEFAULT_TIMINGS),
  userGate(next, DEFAULT_TIMINGS),
  userGate(mate, DEFAULT_TIMINGS),
  { kind: 'user', userId: 'skipper' },
  gateWithBreaker(userGate(hour, DEFAULT_TIMINGS), true),
  gateWithKey({ kind: 'user', userId: 'skipper' }, { auth: 'keyRejected', realtime: 'keyRejected' }),
]
/** Large enough that its name is checked first. */
export const file: UploadInfo = {
  id: '1',
  bucket: 'charts',
  path: 'chart.png',
  bytes: 300_000,
  mime: 'image/png',
  limits: {},
  onConflict: 'ask',
  reportsProgress: true,
}
const refusedKey = { auth: 'keyRejected' } as const
const answers = ['replace', 'keepBoth', 'skip'] as const
const commands = ['upload.pause', 'upload.resume', 'upload.cancel', 'upload.retry'] as const
const settled = { id: '1', status: 200 } as const
const outcomes = [settled, { id: '1', failure: network }] as const

export const samples: Samples = {
  ...workbenchSamples,
  'auth.failed': [{ type: 'auth.failed', failure: network }],
  'auth.settled': [{ type: 'auth.settled', attempt: 'a' }],
  'auth.succeeded': [hour, high, factor].flatMap(token => [
    { type: 'auth.succeeded', token } as const,
    { type: 'auth.succeeded', token, recovery: true } as const,
  ]),
  'auth.unconfirmed': [{ type: 'auth.unconfirmed', user: { id: 'skipper' } }],
  'body.ended': [{ type: 'body.ended' }],
  'body.failed': [{ type: 'body.failed', failure: network }],
  'breaker.closed': [{ type: 'breaker.closed' }],
  'breaker.opened': [
    { type: 'breaker.opened', live: true },
    { type: 'breaker.opened', live: false },
  ],
  'broadcast.received': [{ type: 'broadcast.received', event: 'hail', payload: {} }],
  'broadcast.send': [{ type: 'broadcast.send', id: 'm', event: 'hail', payload: {} }],
  'channel.command': [{ type: 'channel.command', topic: 'bridge', command: { type: 'presence.untrack' } }],
  'channel.join': [
    { type: 'channel.join', topic: 'bridge', use: 'u1', options: {} },
    { type: 'channel.join', topic: 'bridge', use: 'u2', options: { private: true } },
  ],
  'channel.joined': [{ type: 'channel.joined' }],
  'channel.leave': [
    { type: 'channel.leave', topic: 'bridge', use: 'u1' },
    { type: 'channel.leave', topic: 'galley', use: 'u1' },
  ],
  'channel.left': [{ type: 'channel.left' }],
  'channel.options': [
    { type: 'channel.options', options: {} },
    { type: 'channel.options', options: { postgresChanges: [{ event: '*', schema: 'public' }] } },
  ],
  'channel.rejoin': [{ type: 'channel.rejoin' }],
  'channel.retry': [{ type: 'channel.retry' }],
  'clock.tick': [
    { type: 'clock.tick', at: 0 },
    { type: 'clock.tick', at: 3_580_000 },
    { type: 'clock.tick', at: 3_700_000 },
  ],
  'connection.close': [{ type: 'connection.close' }],
  'connection.lost': [{ type: 'connection.lost', reason: 'closed with 1006' }],
  'connection.opened': [{ type: 'connection.opened' }],
  'connection.open': [{ type: 'connection.open' }],
  'connection.release': [{ type: 'connection.release' }],
  'environment.changed': [
    { type: 'environment.changed', online: true, visible: true, frozen: false },
    { type: 'environment.changed', online: false, visible: true, frozen: false },
    { type: 'environment.changed', online: true, visible: false, frozen: false },
    { type: 'environment.changed', online: true, visible: true, frozen: true },
    { type: 'environment.changed', online: false, visible: false, frozen: false },
  ],
  'environment.woke': [{ type: 'environment.woke', slept: 60_000, at: 60_000 }],
  'gate.changed': gates.map(gate => ({ type: 'gate.changed', gate })),
  'session.storeFailed': [{ type: 'session.storeFailed', failure: network }],
  'key.accepted': [{ type: 'key.accepted', family: 'rest' }],
  'key.changed': [
    { type: 'key.changed', refused: {} },
    { type: 'key.changed', refused: refusedKey },
  ],
  'key.check': [{ type: 'key.check' }],
  'key.checked': [
    // Every service, since any may have refused the key before.
    {
      type: 'key.checked',
      results: (['auth', 'rest', 'storage', 'functions', 'realtime'] as const).map(family => ({ family })),
    },
    { type: 'key.checked', results: [{ family: 'auth', refusal: 'keyRejected' }, { family: 'rest' }] },
  ],
  'key.refused': [
    { type: 'key.refused', family: 'auth', refusal: 'keyRejected' },
    { type: 'key.refused', family: 'rest', refusal: 'keyDisabled' },
  ],
  'key.replaced': [{ type: 'key.replaced' }],
  'leadership.gained': [{ type: 'leadership.gained' }],
  'leadership.lost': [{ type: 'leadership.lost' }],
  'leadership.unavailable': [{ type: 'leadership.unavailable' }],
  'lock.held': [{ type: 'lock.held' }],
  'lock.lost': [{ type: 'lock.lost' }],
  'lock.unavailable': [{ type: 'lock.unavailable' }],
  'port.broken': [{ type: 'port.broken', failure: bug }],
  'postgres.changed': [
    {
      type: 'postgres.changed',
      wanted: { event: '*', schema: 'public' },
      change: {
        type: 'INSERT',
        schema: 'public',
        table: 'vessels',
        record: {},
        old: {},
        commitTimestamp: '',
      },
    },
  ],
  'postgres.failed': [
    { type: 'postgres.failed', reason: 'the database is starting up' },
    { type: 'postgres.failed', reason: 'Unable to subscribe to changes with given parameters' },
  ],
  'postgres.subscribed': [{ type: 'postgres.subscribed' }],
  'presence.synced': [{ type: 'presence.synced', state: {} }],
  'presence.track': [{ type: 'presence.track', id: 'p', meta: {} }],
  'presence.untrack': [{ type: 'presence.untrack' }],
  'probe.answered': [
    ...[200, 401, 403, 404, 429, 500].map(status => ({ type: 'probe.answered', status }) as const),
    { type: 'probe.answered', status: 401, refusal: 'keyRejected' },
  ],
  'probe.failed': [{ type: 'probe.failed' }],
  'push.settled': [{ type: 'push.settled', id: 'm' }],
  'queue.next': [{ type: 'queue.next' }],
  'realtime.connect': [{ type: 'realtime.connect' }],
  'realtime.disconnect': [{ type: 'realtime.disconnect' }],
  'realtime.wanted': [
    { type: 'realtime.wanted', wanted: true },
    { type: 'realtime.wanted', wanted: false },
  ],
  'recovery.ended': [{ type: 'recovery.ended' }],
  'refresh.failed': [network, tooMany, refused, changedElsewhere, keyFailure('keyRejected', 401)].map(
    failure => ({
      type: 'refresh.failed',
      failure,
    }),
  ),
  'refresh.automatic': [
    { type: 'refresh.automatic', automatic: false },
    { type: 'refresh.automatic', automatic: true },
  ],
  'refresh.request': [{ type: 'refresh.request' }],
  'refresh.succeeded': [{ type: 'refresh.succeeded', token: next }],
  'request.abort': [
    { type: 'request.abort', id: '1' },
    { type: 'request.abort', id: '1', reason: 'superseded' },
  ],
  'request.granted': [{ type: 'request.granted' }],
  'request.queued': [{ type: 'request.queued', id: '1' }],
  'request.receiving': [{ type: 'request.receiving', id: '1' }],
  'request.settled': outcomes.map(output => ({ type: 'request.settled', output })),
  'request.slow': [{ type: 'request.slow', id: '1' }],
  'request.start': [
    { type: 'request.start', info: { id: '1', family: 'rest', method: 'GET', path: '/rest/v1/vessels' } },
  ],
  'request.waiting': [{ type: 'request.waiting', id: '1' }],
  'resync.done': [{ type: 'resync.done' }],
  'resync.failed': [{ type: 'resync.failed', reason: 'planted' }],
  'revoke.failed': [{ type: 'revoke.failed', failure: network }],
  'revoke.succeeded': [{ type: 'revoke.succeeded' }],
  'send.answered': [
    ...[200, 401, 503].map(status => ({ type: 'send.answered', status }) as const),
    { type: 'send.answered', status: 429, retryAfter: 1, waited: 0 },
    { type: 'send.answered', status: 429, retryAfter: 900, waited: 0 },
    { type: 'send.answered', status: 200, streaming: true },
    { type: 'send.answered', status: 401, refusal: 'keyRejected' },
    { type: 'send.answered', status: 401, refusal: 'tokenExpired' },
  ],
  'send.failed': [network, bug].map(failure => ({ type: 'send.failed', failure })),
  'session.commit': [
    { type: 'session.commit', attempt: 'a' },
    { type: 'session.commit', attempt: 'a', recovered: true },
  ],
  'session.ended': [
    { type: 'session.ended', reason: 'userLocal' },
    { type: 'session.ended', reason: 'otherTab' },
  ],
  'session.stored': ofUser.map(token => ({ type: 'session.stored', token })),
  'session.signIn': [{ type: 'session.signIn', attempt: 'a' }],
  'session.signOut': (['local', 'global', 'others'] as const).map(scope => ({
    type: 'session.signOut',
    attempt: 'o',
    scope,
  })),
  'session.started': [hour, spent].map(token => ({ type: 'session.started', token })),
  'session.verify': [{ type: 'session.verify', attempt: 'v' }],
  'socket.alive': [{ type: 'socket.alive' }],
  'socket.closed': [{ type: 'socket.closed', code: 1006, reason: '' }],
  'socket.opened': [{ type: 'socket.opened' }],
  'socket.silent': [{ type: 'socket.silent' }],
  'socket.stale': [{ type: 'socket.stale' }],
  'stored.changed': (['otherTab', 'storage'] as const).flatMap(by =>
    (['written', 'removed'] as const).map(what => ({ type: 'stored.changed', by, what }) as const),
  ),
  'stored.corrupt': [{ type: 'stored.corrupt', failure: network }],
  'stored.found': [hour, next, mate].map(token => ({ type: 'stored.found', token })),
  'stored.none': [{ type: 'stored.none' }, { type: 'stored.none', by: 'otherTab' }],
  'stored.removed': [{ type: 'stored.removed' }],
  'stored.same': [{ type: 'stored.same' }],
  'system.received': [{ type: 'system.received', extension: 'system', status: 'ok', message: '' }],
  'tab.role': (['electing', 'leader', 'follower', 'alone'] as const).map(role => ({
    type: 'tab.role',
    role,
  })),
  'token.adopted': ofUser.map(token => ({ type: 'token.adopted', token })),
  'token.delayed': [{ type: 'token.delayed', failure: network }],
  'token.due': [{ type: 'token.due' }],
  'token.expired': [true, false].map(offline => ({ type: 'token.expired', offline })),
  'token.needed': [{ type: 'token.needed' }],
  'token.refreshing': [{ type: 'token.refreshing' }],
  'token.refused': [{ type: 'token.refused', reason: 'remoteRevoked', failure: refused }],
  'token.rejected': [{ type: 'token.rejected', tokenId: 'token-1' }],
  'token.rotated': [...ofUser, hour].flatMap(token => [
    { type: 'token.rotated', token } as const,
    { type: 'token.rotated', token, adopted: true } as const,
  ]),
  'topic.closed': [{ type: 'topic.closed', reason: 'closed by the server' }],
  'topic.joined': [{ type: 'topic.joined' }],
  'topic.refused': ['Unauthorized: no', 'TooManyConnections', 'InvalidJWTToken: Token has expired'].map(
    reason => ({
      type: 'topic.refused',
      reason,
    }),
  ),
  'name.free': [{ type: 'name.free' }],
  'name.taken': [{ type: 'name.taken', free: 'chart (2).png' }],
  'name.unknown': [{ type: 'name.unknown' }],
  'transfer.done': [{ type: 'transfer.done' }],
  'transfer.failed': [network, bug].map(failure => ({ type: 'transfer.failed', failure })),
  'transfer.progressed': [{ type: 'transfer.progressed', sent: 100_000, resumable: true }],
  'transfer.conflicted': [{ type: 'transfer.conflicted' }],
  'upload.answer': answers.map(answer => ({ type: 'upload.answer', answer })),
  'upload.cancel': [{ type: 'upload.cancel' }],
  'upload.command': [
    ...commands.map(type => ({ type: 'upload.command', id: '1', command: { type } }) as const),
    ...answers.map(
      answer =>
        ({ type: 'upload.command', id: '1', command: { type: 'upload.answer', answer, all: true } }) as const,
    ),
  ],
  'upload.ended': (['done', 'failed', 'skipped', 'canceled'] as const).map(kind => ({
    type: 'upload.ended',
    id: '1',
    outcome: { kind, path: 'chart.png', sent: 0, attempts: 1 },
  })),
  'upload.granted': [{ type: 'upload.granted' }],
  'upload.phaseChanged': (['needsInput', 'ready'] as const).map(phase => ({
    type: 'upload.phaseChanged',
    id: '1',
    phase,
  })),
  'upload.pause': [{ type: 'upload.pause' }],
  'upload.resume': [{ type: 'upload.resume' }],
  'uploads.add': [{ type: 'uploads.add', uploads: [file] }],
  'uploads.clear': [{ type: 'uploads.clear' }],
  'url.failed': [{ type: 'url.failed', failure: network }],
  'url.foreign': [{ type: 'url.foreign' }],
  'url.found': [{ type: 'url.found', attempt: 'u', kind: 'code', recovery: false }],
  'url.mismatch': [{ type: 'url.mismatch', failure: network }],
  'url.none': [{ type: 'url.none' }],
  'url.verifierMissing': [{ type: 'url.verifierMissing', failure: network }],
  'user.failed': [network, refused].map(failure => ({ type: 'user.failed', failure })),
  'user.loaded': ofUser.map(token => ({ type: 'user.loaded', token })),
}

/** What XState reports about finished children. */
export const derived = {
  'xstate.done.actor.attempt': (
    [
      { kind: 'same' },
      { kind: 'rotated', token: next },
      { kind: 'adopted', token: next },
      { kind: 'foreign', what: 'removed' },
      { kind: 'failed', failure: network },
      { kind: 'failed', failure: tooMany },
      { kind: 'refused', reason: 'reuseDetected', failure: refused },
    ] satisfies readonly AttemptOutcome[]
  ).map(output => ({ type: 'xstate.done.actor.attempt', output })),
} as const
