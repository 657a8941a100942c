// Rows 1 to 10 on the virtual clock: sessions and their refreshes, with the timeline of each in its title.
import { expect, test } from 'vitest'
import {
  blocked,
  limited,
  refused,
  renewals,
  renewedElsewhere,
  stored,
  unreachable,
  voyage,
  environmentScript,
} from '../harness/timeline.ts'

const authenticated = (state: string) => ({ phase: 'authenticated', token: { state } })

/** Draws the timeline and compares it with the title. */
const row = (number: number, what: string, timeline: string, live: () => string) =>
  test(`row ${number}, ${what}: ${timeline}`, () => expect(live()).toBe(timeline))

row(1, 'a listener asks for a new token', '0s refreshToken → succeeded', () => {
  const { clock, client, status, drawn, send } = voyage(['refreshToken'], stored(3_000))
  clock.advance(10)
  client.on('auth.settled', () => send({ type: 'refresh.request' }))
  send({ type: 'session.signIn', attempt: 'again' })
  clock.advance(100)
  expect(status().session).toMatchObject(authenticated('fresh'))
  return drawn()
})

row(
  2,
  'a page died with the lock',
  '0s lock → silence · 17s lock → held · 17s refreshToken → succeeded',
  () => {
    const { clock, status, drawn } = voyage(['lock', 'refreshToken'], stored(60), () => ({
      lock: (_, { steal }) => (steal ? [[0, { type: 'lock.held' }]] : []),
    }))
    clock.advance(40_000)
    expect(status().session).toMatchObject(authenticated('fresh'))
    return drawn()
  },
)

row(3, 'another tab was first', '0s lock → held', () => {
  const { clock, status, drawn } = voyage(['lock', 'refreshToken'], renewedElsewhere)
  clock.advance(1_000)
  expect(status().session).toMatchObject(authenticated('fresh'))
  return drawn()
})

row(
  4,
  '429 while expired',
  '0s refreshToken → failed rateLimit · 7s refreshToken → failed rateLimit · 16s refreshToken → succeeded',
  () => {
    const { clock, status, drawn } = voyage(
      ['refreshToken', 'removeSession'],
      stored(-5),
      renewals(limited(7), limited(9)),
    )
    clock.advance(1_000)
    expect(status().session).toMatchObject(authenticated('delayed'))
    clock.advance(30_000)
    expect(status().session).toMatchObject(authenticated('fresh'))
    return drawn()
  },
)

row(5, 'offline with an expired token', '0s readSession → found', () => {
  const { clock, status, request, outcome, drawn } = voyage(
    ['readSession', 'refreshToken', 'send', 'removeSession'],
    stored(-5),
    environmentScript([1, { online: false }]),
  )
  clock.advance(10)
  const id = request()
  clock.advance(3_600_000)
  expect(outcome(id)).toMatchObject({ failure: { code: 'blocked_offline' } })
  expect(status().session).toMatchObject(authenticated('expired'))
  return drawn()
})

row(6, 'a clock an hour ahead', '0s readSession → found', () => {
  const { clock, status, drawn } = voyage(
    ['readSession', 'refreshToken'],
    stored(3_600, { skew: -3_600_000 }),
  )
  clock.advance(3_000_000)
  expect(status().session).toMatchObject({ token: { state: 'fresh', skew: -3_600_000 } })
  return drawn()
})

row(
  7,
  'left and come back to',
  '0s readSession → found · 2s readSession → same · 4s readSession → same',
  () => {
    const { clock, status, emitted, drawn } = voyage(
      ['readSession', 'refreshToken'],
      stored(3_000),
      environmentScript([1_000, { visible: false }], [2_000, {}], [3_000, { visible: false }], [4_000, {}]),
    )
    clock.advance(10_000)
    expect([status().session, emitted]).toMatchObject([authenticated('fresh'), []])
    return drawn()
  },
)

row(
  8,
  'a proxy refuses',
  '0s refreshToken → failed forbidden · 0.5s refreshToken → failed network · 1.1s refreshToken → succeeded',
  () => {
    const { clock, status, drawn } = voyage(
      ['refreshToken', 'removeSession'],
      stored(-5),
      renewals(blocked, unreachable),
    )
    clock.advance(20_000)
    expect(status().session).toMatchObject(authenticated('fresh'))
    return drawn()
  },
)

test.each([
  ['session_not_found', 'remoteRevoked'],
  ['refresh_token_not_found', 'notFound'],
  ['refresh_token_already_used', 'reuseDetected'],
  ['user_banned', 'banned'],
])('row 9, with the reason: 0s refreshToken → failed %s · removeSession → signed out, %s', (code, reason) => {
  const { clock, status, starts } = voyage(
    [],
    stored(-5),
    renewals(refused(code), refused(code), refused(code)),
  )
  clock.advance(60_000)
  expect([status().session, starts('removeSession')]).toMatchObject([{ phase: 'signedOut', reason }, 1])
})

row(10, 'signing out offline', '0s removeSession → removed · 0s revoke → failed network', () => {
  const { clock, status, emitted, drawn, send } = voyage(['removeSession', 'revoke'], stored(3_000), () => ({
    revoke: () => [[50, { type: 'revoke.failed', failure: unreachable }]],
  }))
  clock.advance(10)
  send({ type: 'session.signOut', attempt: 'out', scope: 'global' })
  clock.advance(20_000)
  expect(status().session).toMatchObject({ phase: 'signedOut', reason: 'userGlobal' })
  expect(emitted).toMatchObject([{ type: 'auth.settled', attempt: 'out', failure: { kind: 'network' } }])
  return drawn()
})
