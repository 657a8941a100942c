// Requests: as whom they go out, how long they wait, how often and when they are repeated, and why they are let go.
import { describe, expect, test } from 'vitest'
import type { SendEvent } from '../../src/machines/ports.ts'
import { aborted, notSignedIn, type RequestInfo } from '../../src/machines/request-info.ts'
import { scenario } from '../harness/scenario.ts'
import { token, type Behaviour } from '../harness/scripted-ports.ts'

type Answer = Extract<SendEvent, { type: 'send.answered' }>

/** A scenario whose requests are told whole, and which remembers with which token each attempt went out. */
function requests(answer: Omit<Answer, 'type'> = { status: 200 }, behave: Partial<Behaviour> = {}) {
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

/** Signed in with a token that has run out, and nobody who would renew it. */
const expired = (online: boolean): Partial<Behaviour> => ({
  environment: () => [[0, { type: 'environment.changed', online, visible: true }]],
  readSession: () => [
    [1, { type: 'stored.found', token: { ...token({ now: () => 0 } as never, 1, 300), expiresAt: 0 } }],
  ],
  refreshToken: () => [],
})

describe('access', () => {
  test('public: goes out while booting, and with the key alone whoever is signed in', () => {
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

  test('user: with nobody signed in it fails at once, in words about signing in', () => {
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

  test('unset: who went out anonymously goes on so when somebody signs in meanwhile', () => {
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
  test('offline with an expired token: waits, then fails as blocked, unsent and in plain words', () => {
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
        message: 'You are offline and the session must be renewed first. Nothing was sent. Try again online.',
      },
    })
    expect(sentAs).toEqual([])
  })

  test('a deadline shorter than the wait for a token says the same', () => {
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

  test('a large body has longer, a stream longer still', () => {
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
  test('told by storage with status 400: renewed and repeated all the same', () => {
    const { signIn, start, outcome, clock, starts } = requests(
      { status: 400 },
      {
        send: n => [
          [
            5,
            { type: 'send.answered', ...(n === 1 ? { status: 400, tokenRefused: true } : { status: 200 }) },
          ],
        ],
      },
    )
    signIn()
    const id = start({ family: 'storage', method: 'POST' })
    clock.advance(100)
    expect([outcome(id), starts('send'), starts('refreshToken')]).toEqual([{ id, status: 200 }, 2, 1])
  })

  test('for a body that is a stream: the token is renewed, the failure says why it was not repeated', () => {
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
          'The session was renewed, but what was being sent is a stream and cannot be sent twice. Send it again.',
      },
    })
  })

  test('of a function: its own answer, unless it is about the token', () => {
    const { signIn, start, outcome, clock, starts } = requests({ status: 401 })
    signIn()
    const id = start({ family: 'functions', method: 'POST' })
    clock.advance(100)
    expect([outcome(id), starts('refreshToken')]).toEqual([{ id, status: 401 }, 0])
  })
})

describe('repeating', () => {
  test('a write is repeated with the idempotency key of its caller, and not when its body is a stream', () => {
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
        message: 'The backend asks to wait 86 s. Try again then.',
      },
    })
  })
})

describe('let go', () => {
  test('superseded: a newer request of the same key takes the place of the older', () => {
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

  test('signed out: what its user has under way is aborted, what is public goes on', () => {
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
