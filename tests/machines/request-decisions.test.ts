// The pure decisions behind a request: what blocks it at the gate, and when a rejected token is replaced.
import { expect, test } from 'vitest'
import { blockerOf, type AuthGate, type AccessRequest } from '../../src/machines/session/gate.ts'
import {
  isRepeatable,
  type RequestInfo,
  isStale,
  type RequestContext,
} from '../../src/machines/requests/request.ts'

const booting: AuthGate = { kind: 'booting' }
const nobody: AuthGate = { kind: 'anonymous' }
const skipper: AuthGate = { kind: 'user', userId: 'skipper', tokenId: 'token-2' }
const tokenless: AuthGate = { kind: 'user', userId: 'skipper' }

test.each<readonly [AuthGate, AccessRequest, ReturnType<typeof blockerOf>]>([
  [booting, {}, 'token'],
  [booting, { access: 'user' }, 'token'],
  [booting, { access: 'public' }, 'none'],
  [nobody, {}, 'none'],
  [nobody, { access: 'user' }, 'signIn'],
  [nobody, { access: 'user', identity: 'anonymous' }, 'signIn'],
  [nobody, { identity: 'skipper' }, 'ended'],
  [nobody, { access: 'public', identity: 'anonymous' }, 'none'],
  [skipper, {}, 'none'],
  [skipper, { identity: 'skipper' }, 'none'],
  [skipper, { identity: 'mate' }, 'ended'],
  [skipper, { identity: 'anonymous' }, 'none'],
  [skipper, { identity: 'skipper', rejected: 'token-1' }, 'none'],
  [skipper, { identity: 'skipper', rejected: 'token-2' }, 'token'],
  [tokenless, {}, 'token'],
  [tokenless, { identity: 'anonymous' }, 'none'],
  [tokenless, { access: 'public' }, 'none'],
])('gate %j, access %j: %s', (gate, passer, expected) => {
  expect(blockerOf(gate, passer)).toBe(expected)
})

const info: RequestInfo = { id: '1', family: 'rest', method: 'GET', path: '/rest/v1/vessels' }
const sent = { info, gate: skipper, sentWith: 'token-2', rejected: undefined } as RequestContext

test.each<readonly [string, Partial<RequestContext>, Parameters<typeof isStale>[1], boolean]>([
  ['401', {}, { type: 'send.answered', status: 401 }, true],
  ['403', {}, { type: 'send.answered', status: 403 }, false],
  ['400 about the token', {}, { type: 'send.answered', status: 400, refusal: 'tokenRejected' }, true],
  ['401 about an expired token', {}, { type: 'send.answered', status: 401, refusal: 'tokenExpired' }, true],
  ...(
    [
      'keyMissing',
      'keyRejected',
      'keyDisabled',
      'keyPrivilege',
      'tokenMissing',
      'sessionEnded',
      'userBanned',
      'byApp',
      'unknown',
    ] as const
  ).map(
    refusal =>
      [`401 that says: ${refusal}`, {}, { type: 'send.answered', status: 401, refusal }, false] as const,
  ),
  ['401 without a token', { sentWith: undefined }, { type: 'send.answered', status: 401 }, false],
  ['a second 401', { rejected: 'token-1' }, { type: 'send.answered', status: 401 }, false],
  [
    '401 while the breaker is open',
    { gate: { ...skipper, breaker: 'open' } },
    { type: 'send.answered', status: 401 },
    false,
  ],
  [
    '401 from a function',
    { info: { ...info, family: 'functions' } },
    { type: 'send.answered', status: 401 },
    false,
  ],
])('%s', (_, context, answer, expected) => {
  expect(isStale({ ...sent, ...context }, answer)).toBe(expected)
})

test.each<readonly [Partial<RequestInfo>, boolean]>([
  [{ method: 'GET' }, true],
  [{ method: 'HEAD' }, true],
  [{ method: 'OPTIONS' }, true],
  [{ method: 'POST' }, false],
  [{ method: 'PUT', family: 'storage' }, false],
  [{ method: 'DELETE', family: 'storage' }, false],
  [{ method: 'POST', repeatable: true }, true],
  [{ method: 'POST', repeatable: true, streamed: true }, false],
])('%j may be sent twice: %s', (asked, expected) => {
  expect(isRepeatable({ ...info, ...asked })).toBe(expected)
})
