// A session through outages: a backend that is gone for a while, and a stored session that is unreadable or no
// longer accepted.
import { describe, expect, test } from 'vitest'
import { FAIR } from '../harness/world-network.ts'
import { brokenIn, createWorld } from '../harness/world.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const STORED = 'sb-world-auth-token'
const rules = { seed: 1, lifetime: 3_600, reuseInterval: 10 }

/** A tab with a signed-in user and a channel. */
async function underWay(lifetime = rules.lifetime) {
  const world = createWorld({ ...rules, lifetime })
  const tab = world.open()
  tab.signIn('skipper@harbour.test')
  await world.clock.advance(1_000)
  tab.send({ type: 'channel.join', topic: 'bridge', options: {} })
  await world.clock.advance(1_000)
  return { world, tab }
}

describe('a backend that stops and returns', () => {
  test.each([
    ['soon', 20_000, 'fresh', 'reconnecting'],
    ['after the token has expired', 10 * MINUTE, 'delayed', 'waitingForToken'],
  ])(
    '%s: the session stays, its channel joins again, and no request is sent without a token',
    async (...row) => {
      const [, ms, state, phase] = row
      const { world, tab } = await underWay(300)
      const { clock, network, server } = world
      network.conditions = { ...FAIR, unavailable: 1 }
      for (const socket of world.harbour.sockets) socket.close(1001, '')
      await clock.advance(ms)
      expect(tab.status()).toMatchObject({
        session: { phase: 'authenticated', token: { state } },
        connection: { phase },
        channels: { bridge: { phase: 'waiting' } },
      })
      tab.call('GET')
      await clock.advance(1_000)
      expect(tab.openCalls).toBe(1)
      network.conditions = FAIR
      await clock.advance(MINUTE)
      expect(tab.status()).toMatchObject({
        session: { phase: 'authenticated', token: { state: 'fresh' } },
        connection: { phase: 'open' },
        channels: { bridge: { phase: 'joined' } },
      })
      const { rows, refused } = server.counts
      expect([tab.openCalls, rows, refused, brokenIn(world)]).toEqual([0, 1, 0, []])
    },
  )
})

describe('a stored session', () => {
  test.each([
    ['truncated', '{"access_token":'],
    ['something else', '"ahoy"'],
    ['of another shape', '{"access_token":{},"refresh_token":7}'],
  ])('that is %s: signed out, with the reason, and another sign-in works', async (_, text) => {
    const world = createWorld(rules)
    world.storage.items.set(STORED, text)
    const tab = world.open()
    await world.clock.advance(1_000)
    expect(tab.status().session).toMatchObject({ phase: 'signedOut', reason: 'corrupt' })
    tab.signIn('skipper@harbour.test')
    await world.clock.advance(1_000)
    expect([tab.status().session.phase, brokenIn(world)]).toEqual(['authenticated', []])
  })

  test.each([
    ['when the session is known', 1],
    ['while the page boots', undefined],
  ])('that the server no longer accepts: a request %s is not sent anonymously', async (_, wait) => {
    const { world, tab } = await underWay()
    tab.dispose()
    world.server.endSessions()
    await world.clock.advance(2 * HOUR)
    const next = world.open()
    if (wait !== undefined) await world.clock.advance(wait)
    expect(next.status().session.phase).toBe(wait === undefined ? 'booting' : 'authenticated')
    next.call('GET')
    await world.clock.advance(MINUTE)
    expect(next.status().session).toMatchObject({ phase: 'signedOut', reason: 'notFound' })
    expect(world.storage.items.has(STORED)).toBe(false)
    // The request that waited for the session was not sent with the key alone.
    expect([next.openCalls, world.server.counts.rows, brokenIn(world)]).toEqual([0, 0, []])
  })
})
