// Samples that several specifications share.
import type { AnyEventObject } from 'xstate'
import { type Failure, keyFailure } from './failure.ts'
import { changedElsewhere } from './refresh/setup.ts'
import type { RequestInfo, RequestOutput } from './requests/request.ts'
import { type AuthGate, gateWithBreaker, gateWithKey, type Token, userGate } from './session/gate.ts'
import { DEFAULT_TIMINGS } from './timings.ts'
import type { UploadInfo } from './uploads/upload-info.ts'

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
export const next: Token = { ...hour, id: 'token-2' }
const expired: Token = { ...hour, id: 'token-3', expiresAt: 0, receivedAt: -3_600_000 }
export const high: Token = { ...next, id: 'token-4', aal: 'aal2' }
export const factor: Token = { ...next, id: 'token-5', hasFactor: true }
const mate: Token = { ...next, id: 'token-6', user: { id: 'mate' } }
export const ofUser = [next, high, factor]

export const network: Failure = { kind: 'network', message: 'The backend cannot be reached.' }
export const tooMany: Failure = {
  kind: 'rateLimit',
  status: 429,
  retryAfter: 7,
  message: 'Too many attempts.',
}
export const refused: Failure = {
  kind: 'auth',
  status: 400,
  code: 'refresh_token_already_used',
  message: 'Already Used',
}
export const bug: Failure = { kind: 'bug', message: 'Unexpected failure inside the client: planted' }
export const invalid: Failure = { kind: 'validation', message: 'null value in column "name"' }
/** Failures of account operations that pages tell apart. */
export const accountFailures: readonly Failure[] = [
  network,
  { kind: 'rateLimit', retryAfter: 7, message: 'Too many.' },
  ...[
    'weak_password',
    'captcha_failed',
    'email_not_confirmed',
    'user_already_exists',
    'invalid_credentials',
  ].map(code => ({ kind: 'auth', code, message: 'No.' }) as const),
]
/** Failures of a refresh. */
export const refreshFailures = [network, tooMany, refused, changedElsewhere, keyFailure('keyRejected', 401)]

export const firstGate = userGate(hour, DEFAULT_TIMINGS)
/** A gate with a token that was never rejected. */
export const gate = userGate({ ...hour, id: 'token-of-calm' }, DEFAULT_TIMINGS)
const gates: readonly AuthGate[] = [
  { kind: 'booting' },
  { kind: 'anonymous' },
  firstGate,
  userGate(next, DEFAULT_TIMINGS),
  userGate(mate, DEFAULT_TIMINGS),
  { kind: 'user', userId: 'skipper' },
  gateWithBreaker(firstGate, true),
  gateWithKey({ kind: 'user', userId: 'skipper' }, { auth: 'keyRejected', realtime: 'keyRejected' }),
]

export const info: RequestInfo = { id: '1', family: 'rest', method: 'GET', path: '/rest/v1/vessels' }
const requestOutputs: readonly RequestOutput[] = [
  { id: '1', status: 200 },
  { id: '1', failure: network },
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
export const answers = ['replace', 'keepBoth', 'skip'] as const
const uploadCommands = ['upload.pause', 'upload.resume', 'upload.cancel', 'upload.retry'] as const

/** A device that is online, with a visible page. */
export const goodToken = {
  type: 'environment.changed',
  online: true,
  visible: true,
  frozen: false,
} as const
export const open = { type: 'gate.changed', gate } as const
/** Reconnects after a disconnect. */
export const connect = { type: 'realtime.connect' } as const

const SHARED = {
  'channel.command': [{ topic: 'bridge', command: { type: 'presence.untrack' } }],
  'channel.join': [
    { topic: 'bridge', use: 'u1', options: {} },
    { topic: 'bridge', use: 'u2', options: { private: true } },
  ],
  'channel.leave': [
    { topic: 'bridge', use: 'u1' },
    { topic: 'galley', use: 'u1' },
  ],
  'connection.lost': [{ reason: 'closed with 1006' }],
  'connection.opened': [{}],
  'delivery.resume': [{}],
  'environment.changed': [
    { online: true, visible: true, frozen: false },
    { online: false, visible: true, frozen: false },
    { online: true, visible: false, frozen: false },
    { online: true, visible: true, frozen: true },
    { online: false, visible: false, frozen: false },
  ],
  'environment.woke': [{ slept: 60_000, at: 60_000 }],
  'gate.changed': gates.map(gate => ({ gate })),
  'http.answered': [{ call: 0, status: 200 }, { call: 0 }],
  'http.sent': [{ call: 0, method: 'POST', path: '/auth/v1/token?grant_type=password' }],
  'key.accepted': [{ family: 'rest' }],
  'key.changed': [{ refused: {} }, { refused: { auth: 'keyRejected' } }],
  'key.check': [{}],
  'key.refused': [
    { family: 'auth', refusal: 'keyRejected' },
    { family: 'rest', refusal: 'keyDisabled' },
  ],
  'key.replaced': [{}],
  'port.broken': [{ failure: bug }],
  'realtime.connect': [{}],
  'realtime.disconnect': [{}],
  'realtime.wanted': [{ wanted: true }, { wanted: false }],
  'refresh.automatic': [{ automatic: false }, { automatic: true }],
  'refresh.request': [{}],
  'request.abort': [{ id: '1' }, { id: '1', reason: 'superseded' }],
  'request.receiving': [{ id: '1' }],
  'request.settled': requestOutputs.map(output => ({ output })),
  'request.start': [{ info }],
  'session.commit': [{ attempt: 'a' }, { attempt: 'a', recovered: true }],
  'session.ended': [{ reason: 'userLocal' }, { reason: 'otherTab' }],
  'session.signIn': [{ attempt: 'a' }],
  'session.signOut': (['local', 'global', 'others'] as const).map(scope => ({
    attempt: 'o',
    scope,
  })),
  'session.started': [hour, expired].map(token => ({ token })),
  'session.verify': [{ attempt: 'v' }],
  'stored.changed': (['otherTab', 'storage'] as const).flatMap(by =>
    (['written', 'removed'] as const).map(what => ({ by, what }) as const),
  ),
  'stored.corrupt': [{ failure: network }],
  'stored.found': [hour, next, mate].map(token => ({ token })),
  'stored.none': [{}, { by: 'otherTab' }],
  'stored.same': [{}],
  'tab.role': (['electing', 'leader', 'follower', 'alone'] as const).map(role => ({
    role,
  })),
  'token.adopted': ofUser.map(token => ({ token })),
  'token.delayed': [{ failure: network }],
  'token.due': [{}],
  'token.expired': [true, false].map(offline => ({ offline })),
  'token.needed': [{}],
  'token.refreshing': [{}],
  'token.refused': [{ reason: 'remoteRevoked', failure: refused }],
  'token.rejected': [{ tokenId: 'token-1' }],
  'token.rotated': [...ofUser, hour].flatMap(token => [
    { token } as const,
    { token, adopted: true } as const,
  ]),
  'upload.command': [
    ...uploadCommands.map(type => ({ id: '1', command: { type } }) as const),
    ...answers.map(answer => ({ id: '1', command: { type: 'upload.answer', answer, all: true } }) as const),
  ],
  'uploads.add': [{ uploads: [file] }],
  'uploads.clear': [{}],
} as const

/** The calls of ports, which are only recorded. */
export const CALLS = ['http.sent', 'http.answered'] as const

export const ignoresCalls = CALLS.map(event => ({
  event,
  states: ['*'],
  reason: 'It is recorded for the console and for exports; only the result of the port counts.',
}))

/** Samples of events that several machines handle. */
export const shared = <Type extends keyof typeof SHARED>(...types: readonly Type[]) =>
  Object.fromEntries(types.map(type => [type, SHARED[type]])) as unknown as Pick<typeof SHARED, Type>

const isToken = (value: unknown): value is Token =>
  typeof value === 'object' && value !== null && 'heldSince' in value

function laterToken(token: Token, n: number, now: number): Token {
  const { receivedAt, heldSince, expiresAt } = token
  return {
    ...token,
    id: `token-${n}`,
    receivedAt: receivedAt + now,
    heldSince: heldSince + now,
    expiresAt: expiresAt + now,
  }
}

/** Pushes whose id is created by the sender. */
const isPush = (type: string) => type === 'broadcast.send' || type === 'presence.track'

/** The same event at another time: with a current token, and new ids. */
export function renew(event: AnyEventObject, n: number, now: number): AnyEventObject {
  const {
    token,
    attempt,
    id,
    info: request,
    type,
  } = event as Partial<Record<string, unknown>> & AnyEventObject
  return {
    ...event,
    ...(type === 'clock.tick' && { at: now }),
    ...(isToken(token) && { token: laterToken(token, n, now) }),
    ...(typeof attempt === 'string' && { attempt: `attempt-${n}` }),
    ...(isPush(type) && typeof id === 'string' && { id: `sent-${n}` }),
    ...(typeof request === 'object' && { info: { ...(request as RequestInfo), id: String(n) } }),
  }
}

/** The id of a caller that waits since this event. */
export function awaits({ type, attempt, id, info: request }: AnyEventObject): string | undefined {
  if (type.startsWith('session.') && typeof attempt === 'string') return attempt
  if (type === 'request.start') return (request as RequestInfo).id
  return isPush(type) && typeof id === 'string' ? id : undefined
}

/** The id of a caller that this event answers. */
export function settles({ type, attempt, output, settled }: AnyEventObject): string | undefined {
  if (type === 'auth.settled') return attempt as string
  if (type === 'request.settled') return (output as RequestOutput).id
  return type === 'channel.settled' ? (settled as { readonly id: string }).id : undefined
}
