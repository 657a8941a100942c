// After a sleep, no request is sent with the expired token: not a new one, and not one that was waiting.
import { describe, expect, test } from 'vitest'
import type { ClientCommand } from '../../src/machines/index.ts'
import { scenario } from '../harness/scenario.ts'
import type { EnvironmentEvent } from '../../src/machines/ports.ts'
import { token, type Behavior } from '../harness/scripted-ports.ts'

const ask = (at: number): ClientCommand => ({
  type: 'request.start',
  info: { id: '1', family: 'rest', method: 'GET', path: '/rest/v1/vessels' },
  at,
})

const signedIn = () => {
  const sentWith: unknown[] = []
  const run = scenario(clock => ({
    authenticate: n => [[20, { type: 'auth.succeeded', token: token(clock, n) }]],
    send: (_, { tokenId }) => {
      sentWith.push(tokenId)
      return [[15, { type: 'send.answered', status: 200 }]]
    },
  }))
  run.signIn()
  return { ...run, sentWith }
}

test('── token expired ── request ── refresh ── sent with the new token', () => {
  const { send, clock, sentWith, status, outcome } = signedIn()
  send(ask(clock.now() + 3_600_000))
  expect([sentWith, status().requests.waiting]).toEqual([[], 1])
  clock.advance(100)
  expect([sentWith, outcome('1')]).toEqual([['token-101'], { id: '1', status: 200 }])
})

test('── token valid ── request ── sent at once', () => {
  const { send, clock, sentWith } = signedIn()
  send(ask(clock.now() + 3_000_000))
  expect(sentWith).toEqual(['token-1'])
})

describe('a request that backs off, while the refresh is', () => {
  const HOUR = 3_600_000
  const is = (online: boolean, frozen = false): EnvironmentEvent => {
    return { type: 'environment.changed', online, visible: true, frozen }
  }
  const woke = (at: number): EnvironmentEvent => ({ type: 'environment.woke', slept: HOUR, at })
  const unreachable = { kind: 'network', message: 'The backend cannot be reached.' } as const

  /** The device wakes at 500 ms; the request is repeated at the earliest a little later. */
  const retried = (before: readonly [number, EnvironmentEvent][], behavior: Partial<Behavior> = {}) => {
    const sentWith: unknown[] = []
    const run = scenario(clock => ({
      authenticate: n => [[20, { type: 'auth.succeeded', token: token(clock, n) }]],
      environment: () => [[0, is(true)], ...before, [500, woke(500 + HOUR)]],
      send: (_, { tokenId }) => {
        sentWith.push(tokenId)
        return [[400, { type: 'send.failed', failure: unreachable }]]
      },
      ...behavior,
    }))
    run.signIn()
    run.request()
    return { ...run, sentWith }
  }

  test('waiting', () => {
    const { clock, sentWith } = retried([])
    clock.advance(450)
    expect(sentWith).toEqual(['token-1'])
    clock.advance(60_000)
    expect(sentWith.slice(1)).not.toContain('token-1')
  })

  test.each<[string, [number, EnvironmentEvent]]>([
    ['paused by a frozen page', [100, is(true, true)]],
    ['paused while offline', [100, is(false)]],
  ])('%s', (_, before) => {
    const { clock, sentWith, outcome } = retried([before])
    clock.advance(60_000)
    expect([sentWith, outcome('1')]).toMatchObject([['token-1'], { failure: {} }])
  })

  test('in flight without an answer', () => {
    const { clock, sentWith, send } = retried([], { refreshToken: () => [] })
    send({ type: 'refresh.request' })
    clock.advance(5_000)
    expect(sentWith).toEqual(['token-1'])
  })
})
