// Requests: their identity, how long they wait, how often and when they are retried, and why they are
// canceled.
import { describe, expect, test } from 'vitest'
import { aborted } from '../../../src/machines/index.ts'
import type { SendEvent } from '../../../src/machines/ports.ts'
import { notSignedIn, type RequestInfo } from '../../../src/machines/requests/request.ts'
import { scenario } from '../../harness/scenario.ts'
import { token, type Behavior } from '../../harness/scripted-ports.ts'

type Answer = Extract<SendEvent, { type: 'send.answered' }>

/** A scenario with full request details that records the token of each attempt. */
function requests(answer: Omit<Answer, 'type'> = { status: 200 }, behave: Partial<Behavior> = {}) {
  const sentAs: (string | undefined)[] = []
  const base = scenario(() => ({
    send: (_, { tokenId }) => {
      sentAs.push(tokenId)
      return [[5, { type: 'send.answered', ...answer }]]
    },
    ...behave,
  }))
  let count = 100
  const start = (info: Partial<RequestInfo> = {}) => {
    const id = String(++count)
    base.send({
      type: 'request.start',
      info: { id, family: 'rest', method: 'GET', path: '/rest/v1/vessels', ...info },
    })
    return id
  }
  return { ...base, sentAs, start }
}

/** Signed in with an expired token that cannot be refreshed. */
const expired = (online: boolean): Partial<Behavior> => ({
  environment: () => [[0, { type: 'environment.changed', online, visible: true }]],
  readSession: () => [
    [1, { type: 'stored.found', token: { ...token({ now: () => 0 } as never, 1, 300), expiresAt: 0 } }],
  ],
  refreshToken: () => [],
})

describe('access', () => {
  test('public: sent while booting, and with only the key also when signed in', () => {
    const { signIn, start, sentAs, outcome, clock } = requests()
    const early = start({ access: 'public' })
    expect(sentAs).toEqual([undefined])
    signIn()
    start({ access: 'public' })
    start()
    clock.advance(5)
    expect(sentAs).toEqual([undefined, undefined, 'token-1'])
    expect(outcome(early)).toEqual({ id: early, status: 200 })
  })

  test('user: fails at once when signed out, with text about signing in', () => {
    const { clock, start, outcome, sentAs } = requests()
    const early = start({ access: 'user' })
    expect(outcome(early)).toBeUndefined()
    clock.advance(1)
    const late = start({ access: 'user' })
    expect([outcome(early), outcome(late)]).toEqual([
      { id: early, failure: notSignedIn },
      { id: late, failure: notSignedIn },
    ])
    expect(sentAs).toEqual([])
  })

  test('unset: a request that began anonymously stays anonymous when a user signs in', () => {
    const { signIn, start, outcome, sentAs, clock } = requests({ status: 503, retryAfter: 1, waited: 5 })
    clock.advance(2)
    const id = start()
    signIn()
    clock.advance(20_000)
    expect(sentAs).toEqual([undefined, undefined, undefined])
    expect(outcome(id)).toEqual({ id, status: 503 })
  })
})

describe('waiting', () => {
  test('offline with an expired token: waits, then fails as blocked, unsent and with a plain message', () => {
    const { clock, start, outcome, sentAs, status } = requests({ status: 200 }, expired(false))
    clock.advance(10)
    const id = start({ method: 'POST' })
    clock.advance(19_999)
    expect([outcome(id), status().requests.waiting]).toEqual([undefined, 1])
    clock.advance(1)
    expect(outcome(id)).toEqual({
      id,
      failure: {
        kind: 'network',
        code: 'blocked_offline',
        message:
          'You are offline and the session must be refreshed first. Nothing was sent. Try again when online.',
      },
    })
    expect(sentAs).toEqual([])
  })

  test('a deadline shorter than the token timeout fails the same way', () => {
    const { clock, start, outcome } = requests({ status: 200 }, expired(false))
    clock.advance(10)
    const id = start({ deadline: 3_000 })
    clock.advance(3_000)
    expect(outcome(id)).toMatchObject({ failure: { code: 'blocked_offline' } })
  })

  test('a boot that never ends: fails as not ready', () => {
    const { clock, start, outcome } = requests({ status: 200 }, { readSession: () => [] })
    const id = start({ deadline: 2_000 })
    clock.advance(2_000)
    expect(outcome(id)).toEqual({
      id,
      failure: {
        kind: 'timeout',
        code: 'not_ready',
        message: 'The stored session could not be read in time.',
      },
    })
  })

  test('an attempt has its own timeout, everything together a deadline', () => {
    const { clock, start, outcome, starts } = requests({ status: 200 }, { send: () => [] })
    clock.advance(5)
    const id = start({ timeout: 1_000, deadline: 2_500 })
    clock.advance(2_499)
    expect([outcome(id), starts('send')]).toEqual([undefined, 2])
    clock.advance(1)
    expect(outcome(id)).toMatchObject({ failure: { kind: 'timeout', code: 'deadline' } })
  })

  test('a large body has a longer timeout, a stream an even longer one', () => {
    const { clock, start, outcome } = requests({ status: 200 }, { send: () => [] })
    clock.advance(5)
    const plain = start({ method: 'POST' })
    const large = start({ method: 'POST', bytes: 10_000_000 })
    const stream = start({ method: 'POST', streamed: true })
    const ended = () => [plain, large, stream].map(id => outcome(id) !== undefined)
    clock.advance(60_000)
    expect(ended()).toEqual([true, false, false])
    clock.advance(200_000)
    expect(ended()).toEqual([true, true, false])
    clock.advance(400_000)
    expect(ended()).toEqual([true, true, true])
  })
})

describe('401', () => {
  test('reported by storage with status 400: refreshed and retried just the same', () => {
    const { signIn, start, outcome, clock, starts } = requests(
      { status: 400 },
      {
        send: n => [
          [
            5,
            {
              type: 'send.answered',
              ...(n === 1 ? { status: 400, refusal: 'tokenRejected' as const } : { status: 200 }),
            },
          ],
        ],
      },
    )
    signIn()
    const id = start({ family: 'storage', method: 'POST' })
    clock.advance(100)
    expect([outcome(id), starts('send'), starts('refreshToken')]).toEqual([{ id, status: 200 }, 2, 1])
  })

  test('for a body that is a stream: the token is refreshed, the failure says why it was not retried', () => {
    const { signIn, start, outcome, clock, starts } = requests({ status: 401 })
    signIn()
    const id = start({ method: 'POST', streamed: true })
    clock.advance(100)
    expect([starts('send'), starts('refreshToken')]).toEqual([1, 1])
    expect(outcome(id)).toEqual({
      id,
      failure: {
        kind: 'auth',
        code: 'body_spent',
        status: 401,
        message:
          'The token was refreshed, but the request body is a stream and cannot be sent twice. Send it again.',
      },
    })
  })

  test('from a function: returned as its own response, unless it concerns the token', () => {
    const { signIn, start, outcome, clock, starts } = requests({ status: 401 })
    signIn()
    const id = start({ family: 'functions', method: 'POST' })
    clock.advance(100)
    expect([outcome(id), starts('refreshToken')]).toEqual([{ id, status: 401 }, 0])
  })
})

describe('retries', () => {
  test("a write is retried with its caller's idempotency key, unless its body is a stream", () => {
    const { clock, start, starts } = requests({ status: 503 })
    clock.advance(5)
    start({ method: 'POST' })
    clock.advance(20_000)
    expect(starts('send')).toBe(1)
    start({ method: 'POST', repeatable: true })
    clock.advance(20_000)
    expect(starts('send')).toBe(4)
    start({ method: 'POST', repeatable: true, streamed: true })
    clock.advance(20_000)
    expect(starts('send')).toBe(5)
  })

  test.each([429, 503])('%i with Retry-After: not before that', status => {
    const { clock, start, starts } = requests({ status, retryAfter: 7, waited: 5 })
    clock.advance(5)
    start()
    clock.advance(7_004)
    expect(starts('send')).toBe(1)
    clock.advance(1)
    expect(starts('send')).toBe(2)
  })

  test.each([429, 503])('%i with a Retry-After past the deadline fails at once', status => {
    const { clock, start, outcome } = requests({ status, retryAfter: 86, waited: 5_000 })
    clock.advance(5)
    const id = start()
    clock.advance(5)
    expect(outcome(id)).toEqual({
      id,
      failure: {
        kind: 'rateLimit',
        status,
        retryAfter: 86,
        message: 'The backend is rate limiting requests. Try again in 86 s.',
      },
    })
  })
})

describe('cancellation', () => {
  test('supersede: a newer request with the same key replaces the older one', () => {
    const { clock, start, outcome } = requests()
    clock.advance(5)
    const [first, other] = [start({ supersede: 'search' }), start({ supersede: 'map' })]
    const second = start({ supersede: 'search' })
    clock.advance(5)
    expect([first, other, second].map(outcome)).toEqual([
      { id: first, failure: aborted('superseded') },
      { id: other, status: 200 },
      { id: second, status: 200 },
    ])
  })

  test("sign-out: the user's running requests are aborted, public ones continue", () => {
    const { signIn, clock, start, outcome, send } = requests(
      { status: 200 },
      {
        send: () => [[2_000, { type: 'send.answered', status: 200 }]],
      },
    )
    signIn()
    const [mine, open] = [start({ method: 'POST' }), start({ method: 'POST', access: 'public' })]
    send({ type: 'session.signOut', attempt: 'a2', scope: 'local' })
    clock.advance(3_000)
    expect([outcome(mine), outcome(open)]).toEqual([
      { id: mine, failure: aborted('signed_out') },
      { id: open, status: 200 },
    ])
  })
})
