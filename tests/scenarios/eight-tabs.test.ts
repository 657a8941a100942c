// Eight tabs of one profile share a session: one refresh at a time, whichever tab requests, dies, hangs or
// sleeps.
import { describe, expect, test } from 'vitest'
import type { TabRole } from '../../src/machines/refresh/schedule.ts'
import type { WorldTab } from '../harness/world-tab.ts'
import { brokenIn, createWorld, type World } from '../harness/world.ts'

const HOUR = 3_600_000

/** Eight tabs with the skipper signed in. */
async function eightTabs(seed = 4): Promise<World> {
  const world = createWorld({ seed, lifetime: 3_600, reuseInterval: 10 })
  world.open().signIn('skipper@harbour.test')
  await world.clock.advance(1_000)
  for (let n = 1; n < 8; n++) world.open()
  await world.clock.advance(2_000)
  return world
}

const phases = ({ tabs }: World) => tabs.map(tab => tab.status().session.phase)
const tokens = (tabs: readonly WorldTab[]) =>
  tabs.map(tab => {
    const { session } = tab.status()
    return session.phase === 'authenticated' ? session.token : undefined
  })
const all = <T>(value: T): T[] => Array.from({ length: 8 }, () => value)

/** Every refresh token that reached the server, in order. */
const spent = ({ server }: World): string[] =>
  server.authLog.flatMap(entry => {
    if (entry === 'sessionsEnded' || !entry.call.path.includes('grant_type=refresh_token')) return []
    return [(JSON.parse(entry.call.body) as { readonly refresh_token: string }).refresh_token]
  })

/** Whether its refresh has been sent, and it has received no response yet. */
function isRefreshing({ recorder: { trace } }: WorldTab): boolean {
  const latest = trace.actors.findLastIndex(({ src }) => src === 'refreshToken')
  return trace.steps.findLast(({ actor }) => actor === latest)?.status === 'active'
}

/** Advances the clock until the condition is met, which must happen soon. */
async function until({ clock }: World, isMet: () => boolean): Promise<void> {
  for (let n = 0; n < 2_000 && !isMet(); n++) await clock.advance(1)
  expect(isMet()).toBe(true)
}

test('200 forced refreshes, tabs killed at random: one call a rotation', async () => {
  const world = await eightTabs()
  const { clock, server, below } = world
  let killed = 0
  const kill = (victim: WorldTab | undefined) => {
    victim?.kill()
    if (victim) killed += 1
    world.open()
  }
  for (let round = 0; round < 25; round++) {
    const before = server.counts.refreshes
    for (const tab of world.tabs) tab.send({ type: 'refresh.request' })
    const isCaught = round % 8 === 3
    if (isCaught) {
      // Before the server has carried it out, or before its response arrives.
      const isSpent = round % 16 === 3
      await until(world, () => world.tabs.some(isRefreshing) && server.counts.refreshes > before === isSpent)
      kill(world.tabs.find(isRefreshing))
    } else if (round % 8 === 5) {
      await until(world, () => server.counts.refreshes > before && !world.tabs.some(isRefreshing))
      kill(world.tabs[below(8)])
    }
    await clock.advance(10_000)
    // Late tabs adopt what the first one received.
    expect(server.counts.refreshes - before).toBe(isCaught ? 2 : 1)
  }
  expect([phases(world), killed, brokenIn(world)]).toEqual([all('authenticated'), 6, []])
  // Only a tab that was killed left its token to be spent by the next one.
  expect(spent(world).length - new Set(spent(world)).size).toBe(3)
})

describe('refreshing', () => {
  test('one tab leads and the others know it; when it is closed or killed another leads', async () => {
    const world = await eightTabs()
    const roles = () => {
      const held = tokens(world.tabs).map(token => token?.role)
      const count = (role: TabRole) => held.filter(other => other === role).length
      return { leaders: count('leader'), followers: count('follower') }
    }
    const leader = () => world.tabs[tokens(world.tabs).findIndex(token => token?.role === 'leader')]
    expect(roles()).toEqual({ leaders: 1, followers: 7 })
    leader()?.dispose()
    await world.clock.advance(1_000)
    expect(roles()).toEqual({ leaders: 1, followers: 6 })
    leader()?.kill()
    await world.clock.advance(1_000)
    expect([roles(), brokenIn(world)]).toEqual([{ leaders: 1, followers: 5 }, []])
  })

  test('a tab that hangs with the lock blocks the others only until the deadline', async () => {
    const world = await eightTabs()
    const { clock, server, tabs } = world
    const [hung, ...others] = tabs as [WorldTab, ...WorldTab[]]
    hung.send({ type: 'refresh.request' })
    await until(world, () => server.counts.refreshes === 1)
    hung.hold()
    const received = tokens(others).map(token => token?.receivedAt ?? 0)
    for (const tab of others) tab.send({ type: 'refresh.request' })
    await clock.advance(16_900)
    expect(server.counts.refreshes).toBe(1)
    await clock.advance(1_000)
    expect(server.counts.refreshes).toBe(2)
    const isLater = tokens(others).map((token, n) => (token?.receivedAt ?? 0) > (received[n] ?? Infinity))
    expect(isLater).toEqual(others.map(() => true))
    hung.release()
    await clock.advance(1_000)
    for (const tab of tabs) {
      tab.send({ type: 'refresh.request' })
      await clock.advance(10_000)
    }
    expect(tokens(tabs).map(token => token?.state)).toEqual(all('fresh'))
    // The hung one's token was spent again, and no other.
    expect(spent(world).length - new Set(spent(world)).size).toBe(1)
    expect(brokenIn(world)).toEqual([])
  })

  test('signing out in one tab signs out all, with the reason, also a frozen one', async () => {
    const world = await eightTabs()
    const [leaver, frozen, ...others] = world.tabs as [WorldTab, WorldTab, ...WorldTab[]]
    frozen.page.show(false)
    frozen.page.freeze()
    await world.clock.advance(1)
    frozen.hold()
    leaver.signOut('local')
    await world.clock.advance(1_000)
    const reason = (tab: WorldTab) => {
      const { session } = tab.status()
      return session.phase === 'signedOut' ? session.reason : session.phase
    }
    expect(others.map(reason)).toEqual(others.map(() => 'otherTab'))
    expect(reason(frozen)).toBe('authenticated')
    frozen.release()
    frozen.page.resume()
    frozen.page.show(true)
    await world.clock.advance(1_000)
    expect([reason(frozen), brokenIn(world)]).toEqual(['otherTab', []])
  })
})

// Whether the monotonic clock counts during the sleep follows from the seed.
test.each([1, 2, 3, 4])('every tab recovers after two hours with a closed lid (seed %i)', async seed => {
  const world = await eightTabs(seed)
  const { clock, server, tabs } = world
  for (const tab of tabs) tab.send({ type: 'channel.join', topic: 'bridge', options: {} })
  const joined = () => tabs.map(tab => tab.status().channels['bridge']?.phase)
  await clock.advance(2_000)
  expect([joined(), server.counts.refreshes]).toEqual([all('joined'), 0])
  for (const tab of tabs) tab.page.freeze()
  await clock.advance(1)
  await world.sleep(2 * HOUR)
  for (const tab of tabs) tab.page.resume()
  for (const tab of tabs) tab.call('GET')
  await clock.advance(10_000)
  expect([tokens(tabs).map(token => token?.state), joined()]).toEqual([all('fresh'), all('joined')])
  // No request used the expired token, and one refresh was enough for all.
  const { refreshes, rows, refused } = server.counts
  expect([{ refreshes, rows, refused }, tabs.reduce((sum, { openCalls }) => sum + openCalls, 0)]).toEqual([
    { refreshes: 1, rows: 8, refused: 0 },
    0,
  ])
  expect(brokenIn(world)).toEqual([])
})
