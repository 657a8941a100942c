// How requests end and wait: each failure kind, each fault, and retries.
import type { AccessRefusal, Failure } from '../../../../src/machines/failure.ts'
import { changedElsewhere } from '../../../../src/machines/refresh/setup.ts'
import {
  answers,
  environmentScript,
  renewals,
  stored,
  unreachable,
  type World,
} from '../../../harness/timeline.ts'
import {
  both,
  client,
  notRefreshed,
  request,
  requestR,
  sends,
  step,
  wait,
  type ExpectedAnswer,
  type Situation,
} from './situation.ts'

const live = stored(3_000)
const PATH = 'GET /rest/v1/vessels'

const failing =
  (failure: Failure): World =>
  () => ({ send: () => [[15, { type: 'send.failed', failure }]] })

const responding =
  (
    status: number,
    more: { refusal?: AccessRefusal; retryAfter?: number; waited?: number; faultId?: string } = {},
  ): World =>
  () => ({ send: () => [[15, { type: 'send.answered', status, ...more }]] })

type More = Partial<ExpectedAnswer> & { readonly fields?: object; readonly after?: number }

/** A POST, which is not retried, that fails without a response. */
const failsWith = (
  kind: Failure['kind'],
  mentions: readonly string[],
  more: Partial<Failure> = {},
): Situation =>
  client(
    `a request fails: ${kind}`,
    [live, failing({ kind, message: 'The reason.', ...more })],
    both(wait(10), request({ method: 'POST' }), wait(1_000)),
    requestR,
    {
      mentions: ['POST /rest/v1/vessels', 'failed', ...mentions],
      reason: ['client/requests/request.r', 'send.failed'],
      evidence: [{ kind: 'failure', failure: kind, ...(more.code === undefined ? {} : { code: more.code }) }],
    },
  )

/** A response with this status. */
const answered = (
  name: string,
  status: number,
  mentions: readonly string[],
  { fields = {}, after = 1_000, ...more }: More & Parameters<typeof responding>[1] = {},
): Situation => {
  const { refusal, retryAfter, waited, faultId, ...expected } = more
  return client(
    name,
    [
      live,
      responding(status, {
        ...(refusal && { refusal }),
        ...(retryAfter !== undefined && { retryAfter }),
        ...(waited !== undefined && { waited }),
        ...(faultId && { faultId }),
      }),
    ],
    both(wait(10), request(fields), wait(after)),
    requestR,
    {
      mentions: ['/rest/v1/vessels', String(status), ...mentions],
      reason: ['client/requests/request.r', 'send.answered'],
      evidence: [{ kind: 'response', status }, ...(faultId ? [{ kind: 'fault', id: faultId } as const] : [])],
      ...expected,
    },
  )
}

const failureKinds: readonly Situation[] = [
  failsWith('network', ['reach']),
  failsWith('timeout', ['time']),
  failsWith('conflict', ['conflict']),
  failsWith('storage', ['stor']),
  failsWith('decode', ['response', 'read']),
  failsWith('bug', ['bug']),
  failsWith('function', ['function']),
  failsWith('auth', ['sign'], { code: 'not_signed_in' }),
  failsWith('disposed', ['disposed']),
  answered('a request is refused: forbidden by a policy', 403, ['allow'], { refusal: 'byApp' }),
  answered('a request is refused: not found', 404, ['found']),
  answered('a request is refused: conflict', 409, ['conflict'], { fields: { method: 'POST' } }),
  answered('a request is refused: invalid', 400, []),
  answered('a request is refused: the key is rejected', 401, ['API key'], {
    refusal: 'keyRejected',
    next: 'key',
  }),
  answered('a request is refused: legacy keys are disabled', 401, ['API key'], {
    refusal: 'keyDisabled',
    next: 'key',
  }),
  answered('a request is refused: no key arrived', 401, ['API key'], { refusal: 'keyMissing' }),
  answered('a request is refused: the key may not use this endpoint', 401, ['API key'], {
    refusal: 'keyPrivilege',
  }),
  answered('a write fails on the server and is not retried', 500, ['server'], { fields: { method: 'POST' } }),
  answered('a request succeeds', 200, [], { omits: ['fail'] }),
]

const faults: readonly Situation[] = [
  answered('an injected fault: status', 503, ['fault', 'outage#2'], {
    fields: { method: 'POST' },
    faultId: 'outage#2',
  }),
  client(
    'an injected fault: lost response',
    [live, failing({ kind: 'network', message: 'x', faultId: 'lost#1' })],
    both(wait(10), request({ method: 'POST' }), wait(500)),
    requestR,
    {
      mentions: ['POST /rest/v1/vessels', 'fault', 'lost#1'],
      reason: ['client/requests/request.r', 'send.failed'],
      evidence: [{ kind: 'fault', id: 'lost#1' }],
    },
  ),
  client(
    'an injected fault: the refresh is delayed',
    [stored(-5), renewals({ kind: 'server', status: 500, message: 'x', faultId: 'auth-down#1' })],
    wait(100),
    notRefreshed,
    {
      mentions: ['500', 'auth-down#1'],
      reason: ['client/refresh/attempt', 'refresh.failed'],
      evidence: [
        { kind: 'response', status: 500 },
        { kind: 'fault', id: 'auth-down#1' },
      ],
    },
  ),
  client(
    'an injected fault: the session is revoked',
    [
      stored(-5),
      renewals({ kind: 'auth', status: 400, code: 'session_not_found', message: 'x', faultId: 'revoke#1' }),
    ],
    wait(1_000),
    () => ({ status: 'signedOut' }),
    {
      mentions: ['signed out', 'session_not_found', 'revoke#1'],
      reason: ['client/refresh/attempt', 'refresh.failed'],
      evidence: [{ kind: 'fault', id: 'revoke#1' }],
    },
  ),
]

const slots = Array.from({ length: 24 }, (_, n) =>
  sends({
    type: 'request.start',
    info: { id: `s${n}`, family: 'rest', method: 'GET', path: '/rest/v1/slow' },
  }),
)

const ends: readonly Situation[] = [
  client(
    'no response within the time limit',
    [live, () => ({ send: () => [] })],
    both(wait(10), request({ method: 'POST' }), wait(61_000)),
    requestR,
    {
      mentions: ['POST /rest/v1/vessels', '60 s', 'response'],
      reason: ['client/requests/request.r', 'xstate.after.requestTimeout.request.exchanging.sending'],
      evidence: [{ kind: 'timer', delay: 60_000 }],
    },
  ),
  client(
    'canceled by the app',
    [live, () => ({ send: () => [] })],
    both(wait(10), request(), wait(500), sends({ type: 'request.abort', id: 'r' }), wait(10)),
    requestR,
    {
      mentions: [PATH, 'app', 'cancel'],
      reason: ['client', 'request.abort'],
      evidence: [{ kind: 'command', event: 'request.abort' }],
    },
  ),
  client(
    'replaced by a newer request',
    [live, () => ({ send: () => [] })],
    both(
      wait(10),
      request({ supersede: 'search' }),
      wait(500),
      sends({
        type: 'request.start',
        info: { id: 'r2', family: 'rest', method: 'GET', path: '/rest/v1/other', supersede: 'search' },
      }),
    ),
    requestR,
    {
      mentions: [PATH, 'newer request'],
      reason: ['client', 'request.start'],
      evidence: [{ kind: 'command' }],
    },
  ),
  client(
    'queued behind the limit',
    [live, () => ({ send: () => [] })],
    both(wait(10), ...slots, request(), wait(100)),
    requestR,
    { mentions: [PATH, 'wait', '24'], reason: ['client', 'request.start'], next: 'sent' },
  ),
  client(
    'waits for a token that the auth server does not issue',
    [stored(-5), renewals(unreachable, unreachable, unreachable, unreachable)],
    both(wait(10), request(), wait(300)),
    requestR,
    {
      mentions: [PATH, 'token', 'wait', 'reach'],
      reason: ['client/refresh/attempt', 'refresh.failed'],
      evidence: [{ kind: 'failure', failure: 'network' }],
    },
  ),
  client(
    'gives up waiting for a token',
    [
      stored(-5),
      () => ({
        refreshToken: () => [
          [20, { type: 'refresh.failed', failure: { kind: 'server', status: 503, message: 'x' } }],
        ],
      }),
    ],
    both(wait(10), request(), wait(21_000)),
    requestR,
    {
      mentions: [PATH, 'token', '503'],
      reason: ['client/refresh/attempt', 'refresh.failed'],
      evidence: [{ kind: 'response', status: 503 }],
    },
  ),
  client(
    'the session ended during the request',
    [live, () => ({ send: () => [] })],
    both(
      wait(10),
      request(),
      wait(500),
      sends({ type: 'session.signOut', attempt: 'o', scope: 'local' }),
      wait(100),
    ),
    requestR,
    {
      mentions: [PATH, 'signed out'],
      reason: ['client', 'session.signOut'],
      evidence: [{ kind: 'command', event: 'session.signOut' }],
    },
  ),
  client(
    'requires a session, and the user is signed out',
    [],
    both(wait(10), request({ access: 'user' }), wait(10)),
    requestR,
    {
      mentions: [PATH, 'signed in'],
      reason: ['client', 'request.start'],
      evidence: [{ kind: 'failure', failure: 'auth', code: 'not_signed_in' }],
    },
  ),
  answered('a 429 with a wait', 429, ['limit'], { retryAfter: 7, after: 1_000, next: '7 s' }),
  answered('a 429 that ends after the deadline', 429, ['limit', '120 s'], { retryAfter: 120 }),
  answered('a 503 that is retried', 503, ['again'], { after: 100, next: 's' }),
  client('a 503 three times', [live, answers(503)], both(wait(10), request(), wait(20_000)), requestR, {
    mentions: [PATH, '503', '3 attempts'],
    reason: ['client/requests/request.r', 'send.answered', { status: 503 }],
    evidence: [{ kind: 'response', status: 503 }],
  }),
  client(
    'the network fails and the read is retried',
    [live, failing(unreachable)],
    both(wait(10), request(), wait(100)),
    requestR,
    {
      mentions: [PATH, 'reach', 'again'],
      reason: ['client/requests/request.r', 'send.failed'],
      evidence: [{ kind: 'failure', failure: 'network' }],
      next: 's',
    },
  ),
  client(
    'the calls fail since the backend is down',
    [live, responding(503)],
    both(wait(10), request(), wait(20_000)),
    () => ({ status: 'callFailing' }),
    {
      mentions: ['503', PATH],
      reason: ['client/requests/request.r', 'send.answered', { status: 503 }],
      evidence: [{ kind: 'response', status: 503, path: '/rest/v1/vessels' }],
    },
  ),
  client(
    'the body breaks off',
    [
      live,
      () => ({
        send: () => [
          [10, { type: 'send.answered', status: 200, streaming: true }],
          [50, { type: 'body.failed', failure: { kind: 'network', message: 'x' } }],
        ],
      }),
    ],
    both(wait(10), request(), wait(100)),
    requestR,
    {
      mentions: [PATH, 'response'],
      reason: ['client/requests/request.r', 'body.failed'],
      evidence: [{ kind: 'failure', failure: 'network' }],
    },
  ),
  client(
    'the port itself is broken',
    [
      live,
      () => ({ send: () => [[5, { type: 'port.broken', failure: { kind: 'bug', message: 'planted' } }]] }),
    ],
    both(wait(10), request(), wait(100)),
    requestR,
    {
      mentions: [PATH, 'bug'],
      reason: ['client/requests/request.r', 'port.broken'],
      evidence: [{ kind: 'failure', failure: 'bug' }],
    },
  ),
  client(
    'the device is offline during a read',
    [live, environmentScript([100, { online: false }]), failing(unreachable)],
    both(wait(200), request({ method: 'POST' }), wait(1_000)),
    requestR,
    {
      mentions: ['POST /rest/v1/vessels', 'offline'],
      reason: ['client/requests/request.r', 'send.failed'],
      evidence: [
        { kind: 'failure', failure: 'network' },
        { kind: 'device', change: 'offline' },
      ],
    },
  ),
  client(
    'the key is refused by every service',
    [live, responding(401, { refusal: 'keyRejected' })],
    both(wait(10), request(), wait(10_000)),
    () => ({ status: 'keyRefused' }),
    {
      mentions: ['API key', '401', PATH],
      reason: ['client/requests/request.r', 'send.answered', { refusal: 'keyRejected' }],
      evidence: [{ kind: 'response', status: 401 }],
      next: 'key',
    },
  ),
  client(
    'a request is sent again with a new token',
    [live, answers(401, 200)],
    both(wait(10), request(), wait(1_000)),
    step('client/refresh', 'refresh.request'),
    {
      mentions: ['401', PATH],
      reason: ['client/requests/request.r', 'send.answered', { status: 401 }],
      evidence: [{ kind: 'response', status: 401 }],
    },
  ),
  client(
    'another tab changed the session during a refresh',
    [stored(-5), renewals(changedElsewhere, changedElsewhere)],
    wait(200),
    notRefreshed,
    {
      mentions: ['another tab', 'session'],
      reason: ['client/refresh/attempt', 'refresh.failed'],
      evidence: [{ kind: 'failure', failure: 'conflict' }],
    },
  ),
]

export const requests: readonly Situation[] = [...failureKinds, ...faults, ...ends]
