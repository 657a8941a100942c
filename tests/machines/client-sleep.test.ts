// A request right after a sleep, before any timer has reported that the token expired.
import { expect, test } from 'vitest'
import type { ClientCommand } from '../../src/machines/client-events.ts'
import { scenario } from '../harness/scenario.ts'
import { token } from '../harness/scripted-ports.ts'

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
