// Requests: gated by the session, never accidentally anonymous, reauthorized once, retried only where safe.
import { describe, expect, test } from 'vitest'
import { aborted, type Failure } from '../../src/machines/index.ts'
import { scenario } from '../harness/scenario.ts'
import { token, type Behavior } from '../harness/scripted-ports.ts'

const network: Failure = { kind: 'network', message: 'The backend cannot be reached.' }

/** Records the token of each attempt. */
function watchingSend(answer: Behavior['send']) {
  const sentAs: (string | undefined)[] = []
  const send: Behavior['send'] = (n, input) => {
    sentAs.push(input.tokenId)
    return answer(n, input)
  }
  return { sentAs, send }
}

describe('the gate', () => {
  test('while booting: waits, then is sent as the stored user', () => {
    const { sentAs, send } = watchingSend(() => [[5, { type: 'send.answered', status: 200 }]])
    const { clock, request, outcome, status } = scenario(clock => ({
      readSession: () => [[50, { type: 'stored.found', token: token(clock, 7) }]],
      send,
    }))
    const id = request()
    clock.advance(49)
    expect(status().requests).toEqual({ queued: 0, waiting: 1, sending: 0, receiving: 0 })
    clock.advance(10)
    expect(sentAs).toEqual(['token-7'])
    expect(outcome(id)).toEqual({ id, status: 200 })
  })

  test('signed out: sent anonymously, as the app can know', () => {
    const { sentAs, send } = watchingSend(() => [[5, { type: 'send.answered', status: 200 }]])
    const { clock, request, outcome } = scenario(() => ({ send }))
    clock.advance(5)
    const id = request()
    clock.advance(5)
    expect(sentAs).toEqual([undefined])
    expect(outcome(id)).toEqual({ id, status: 200 })
  })

  test('an expired token that cannot be refreshed: the request fails unsent, never anonymous', () => {
    const { sentAs, send } = watchingSend(() => [[5, { type: 'send.answered', status: 200 }]])
    const { clock, request, outcome } = scenario(clock => ({
      readSession: () => [[1, { type: 'stored.found', token: { ...token(clock, 1, 300), expiresAt: 0 } }]],
      refreshToken: () => [[5, { type: 'refresh.failed', failure: network }]],
      send,
    }))
    clock.advance(10)
    const id = request()
    clock.advance(20_000)
    expect(sentAs).toEqual([])
    expect(outcome(id)).toEqual({
      id,
      failure: {
        kind: 'timeout',
        code: 'no_live_token',
        message: 'No live access token was available in time, so the request was not sent.',
      },
    })
  })

  test('an expired token that is being refreshed: the request waits for the new one', () => {
    const { sentAs, send } = watchingSend(() => [[5, { type: 'send.answered', status: 200 }]])
    const { clock, request, outcome } = scenario(clock => ({
      readSession: () => [[1, { type: 'stored.found', token: { ...token(clock, 1, 300), expiresAt: 0 } }]],
      refreshToken: () => [[3_000, { type: 'refresh.succeeded', token: token(clock, 2) }]],
      send,
    }))
    clock.advance(10)
    const id = request()
    clock.advance(3_010)
    expect(sentAs).toEqual(['token-2'])
    expect(outcome(id)).toEqual({ id, status: 200 })
  })

  test('the session ends while a request waits: it fails and is not sent anonymously', () => {
    const { sentAs, send } = watchingSend(() => [[5, { type: 'send.answered', status: 200 }]])
    const {
      signIn,
      clock,
      request,
      outcome,
      send: command,
    } = scenario(() => ({
      send: (n, input) => (n === 1 ? [[5, { type: 'send.failed', failure: network }]] : send(n, input)),
    }))
    signIn()
    const id = request()
    clock.advance(6)
    command({ type: 'session.signOut', attempt: 'a2', scope: 'local' })
    clock.advance(5_000)
    expect(sentAs).toEqual([])
    expect(outcome(id)).toEqual({
      id,
      failure: {
        kind: 'auth',
        code: 'session_ended',
        message: 'The session ended before the request was sent.',
      },
    })
  })
})

describe('401', () => {
  test('requests a new token once, and retries with it', () => {
    const { sentAs, send } = watchingSend(n => [[5, { type: 'send.answered', status: n === 1 ? 401 : 200 }]])
    const { signIn, clock, request, outcome, starts } = scenario(() => ({ send }))
    signIn()
    const id = request('POST')
    clock.advance(100)
    expect(sentAs).toEqual(['token-1', 'token-101'])
    expect(starts('refreshToken')).toBe(1)
    expect(outcome(id)).toEqual({ id, status: 200 })
  })

  test('twice: the second 401 is the response', () => {
    const { sentAs, send } = watchingSend(() => [[5, { type: 'send.answered', status: 401 }]])
    const { signIn, clock, request, outcome } = scenario(() => ({ send }))
    signIn()
    const id = request()
    clock.advance(100)
    expect(sentAs).toEqual(['token-1', 'token-101'])
    expect(outcome(id)).toEqual({ id, status: 401 })
  })

  test('ten requests rejected together share one refresh', () => {
    const { send } = watchingSend((_, { tokenId }) => [
      [5, { type: 'send.answered', status: tokenId === 'token-1' ? 401 : 200 }],
    ])
    const { signIn, clock, request, outcome, starts } = scenario(() => ({ send }))
    signIn()
    const ids = Array.from({ length: 10 }, () => request())
    clock.advance(100)
    expect(starts('refreshToken')).toBe(1)
    expect(ids.map(outcome)).toEqual(ids.map(id => ({ id, status: 200 })))
  })

  test('signed out: the response itself, without a token request', () => {
    const { clock, request, outcome, starts } = scenario(() => ({
      send: () => [[5, { type: 'send.answered', status: 401 }]],
    }))
    clock.advance(5)
    const id = request()
    clock.advance(50)
    expect([outcome(id), starts('refreshToken')]).toEqual([{ id, status: 401 }, 0])
  })
})

describe('retries', () => {
  test.each([
    ['GET', 3],
    ['HEAD', 3],
    ['OPTIONS', 3],
    ['POST', 1],
    ['PATCH', 1],
    ['PUT', 1],
    ['DELETE', 1],
  ])('%s that cannot be sent is tried %i times in total', (method, times) => {
    const { signIn, clock, request, outcome, starts } = scenario(() => ({
      send: () => [[5, { type: 'send.failed', failure: network }]],
    }))
    signIn()
    const id = request(method)
    clock.advance(20_000)
    expect(starts('send')).toBe(times)
    expect(outcome(id)).toEqual({ id, failure: network })
  })

  test('a GET with 503 and then 200 returns 200; the last response is returned when all fail', () => {
    const { clock, request, outcome } = scenario(() => ({
      send: n => [[5, { type: 'send.answered', status: n === 2 ? 200 : 503 }]],
    }))
    clock.advance(5)
    const first = request()
    clock.advance(5_000)
    const second = request()
    clock.advance(20_000)
    expect([outcome(first), outcome(second)]).toEqual([
      { id: first, status: 200 },
      { id: second, status: 503 },
    ])
  })
})

describe('settling', () => {
  test('a write without a response in 60 s: aborted, since it may have been carried out', () => {
    const { clock, request, outcome, journal } = scenario(() => ({ send: () => [] }))
    clock.advance(5)
    const id = request('POST')
    clock.advance(60_000)
    expect(outcome(id)).toEqual({
      id,
      failure: { kind: 'timeout', message: 'The request timed out.' },
    })
    expect(journal.filter(line => line.startsWith('send'))).toEqual(['send 1', 'send 1 stopped'])
  })

  test('a read without a response in 60 s is retried until its 90 s are over', () => {
    const { clock, request, outcome, starts } = scenario(() => ({ send: () => [] }))
    clock.advance(5)
    const id = request()
    clock.advance(89_999)
    expect([outcome(id), starts('send')]).toEqual([undefined, 2])
    clock.advance(1)
    expect(outcome(id)).toEqual({
      id,
      failure: { kind: 'timeout', code: 'deadline', message: 'The request timed out.' },
    })
  })

  test('aborted by the caller: settles at once, the transfer is aborted', () => {
    const { clock, request, outcome, send, journal } = scenario()
    clock.advance(5)
    const id = request()
    send({ type: 'request.abort', id })
    expect(outcome(id)).toEqual({ id, failure: aborted('by_app') })
    expect(journal).toContain('send 1 stopped')
  })

  test('settled requests leave the tree, each having settled exactly once', () => {
    const { clock, client, request, emitted, status } = scenario()
    clock.advance(5)
    const ids = Array.from({ length: 50 }, () => request())
    const actors = () => Object.keys(client.getSnapshot().children.requests?.getSnapshot().children ?? {})
    expect(actors()).toHaveLength(50)
    clock.advance(1_000)
    expect(actors()).toEqual([])
    expect(emitted).toEqual(ids.map(id => ({ type: 'request.settled', output: { id, status: 200 } })))
    expect(status().requests).toEqual({ queued: 0, waiting: 0, sending: 0, receiving: 0 })
    expect(clock.pending()).toBe(0)
  })
})
