// The device's wall clock jumps by an hour during a session: no sign-out, no refresh storm, no request with a dead token.
import { describe, expect, test } from 'vitest'
import { brokenIn, createWorld } from '../harness/world.ts'

const HOUR = 3_600_000
const MINUTE = 60_000

/** A tab with a session of an hour, a realtime channel, and requests before, during and after. */
async function underWay(seed = 1) {
  const world = createWorld({ seed, lifetime: 3_600, reuseInterval: 10 })
  const tab = world.open()
  tab.signIn('skipper@harbour.test')
  await world.clock.advance(1_000)
  tab.send({ type: 'channel.join', topic: 'bridge', options: {} })
  await world.clock.advance(5_000)
  const session = () => tab.status().session
  const facts = () => ({
    phase: session().phase,
    refreshes: world.server.counts.refreshes,
    refused: world.server.counts.refused,
    open: tab.openCalls,
    broken: brokenIn(world),
  })
  return { world, tab, facts, session }
}

const well = { phase: 'authenticated', refused: 0, open: 0, broken: [] }

describe.each([
  ['forward', HOUR],
  ['back', -HOUR],
])('the wall clock jumps %s by an hour', (_, by) => {
  test('requests in flight finish, and the session and its channel stay', async () => {
    const { world, tab, facts } = await underWay()
    tab.call('POST')
    await world.clock.advance(1)
    world.skew = by
    tab.call('GET')
    await world.clock.advance(10 * MINUTE)
    tab.call('POST')
    await world.clock.advance(MINUTE)
    // An hour forward may have been an hour of sleep: the token is refreshed once.
    expect(facts()).toEqual({ ...well, refreshes: by > 0 ? 1 : 0 })
    expect(tab.status().channels['bridge']).toMatchObject({ phase: 'joined' })
  })

  test('the next refresh is sent once, about 90 s before the token expires', async () => {
    const { world, facts } = await underWay()
    world.skew = by
    await world.clock.advance(MINUTE)
    const before = world.server.counts.refreshes
    // The token expires 3,600 s after the sign-in, or after the refresh that followed the jump.
    await world.clock.advance(3_400_000 - world.clock.now())
    expect(world.server.counts.refreshes).toBe(before)
    await world.clock.advance(3_575_000 - world.clock.now())
    expect(facts()).toEqual({ ...well, refreshes: before + 1 })
  })

  test('repeated jumps cause one refresh for each jump forward, and no more', async () => {
    const { world, tab, facts } = await underWay()
    for (let n = 0; n < 6; n += 1) {
      world.skew = n % 2 === 0 ? by : 0
      tab.call('POST')
      await world.clock.advance(30_000)
    }
    expect(facts()).toEqual({ ...well, refreshes: 3 })
  })

  test('a jump during two hours of sleep causes one refresh, and no request with the expired token', async () => {
    const { world, tab, facts } = await underWay()
    const asleep = world.sleep(2 * HOUR)
    world.skew = by
    await asleep
    tab.call('POST')
    await world.clock.advance(MINUTE)
    expect(facts()).toEqual({ ...well, refreshes: 1 })
  })
})
