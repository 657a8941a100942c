// Findings of the chaos runs about tabs: one that hung during a refresh resumes with a response that other
// tabs have overtaken.
import { describe, expect, test } from 'vitest'
import type { WorldTab } from '../harness/world-tab.ts'
import { brokenIn, createWorld } from '../harness/world.ts'

const phases = (tabs: readonly WorldTab[]) => tabs.map(tab => tab.status().session.phase)

describe.each([
  ['without locks', true],
  ['with locks', false],
])('%s', (_, locks) => {
  /** Two tabs of one session; the first freezes once the server has spent its token. */
  async function hanging() {
    const world = createWorld({ seed: 1, lifetime: 3_600, reuseInterval: 10, lacks: { locks } })
    const { clock, server } = world
    const [first, second] = [world.open(), world.open()]
    first.signIn('skipper@harbour.test')
    await clock.advance(2_000)
    first.send({ type: 'refresh.request' })
    for (let n = 0; server.counts.refreshes === 0 && n < 2_000; n++) await clock.advance(1)
    first.hold()
    return { world, first, second }
  }

  test('── spent ── hangs ── others rotate ── resumes: no token is spent twice', async () => {
    const { world, first, second } = await hanging()
    for (let n = 0; n < 3; n++) {
      second.send({ type: 'refresh.request' })
      await world.clock.advance(40_000)
    }
    first.release()
    await world.clock.advance(5_000)
    const third = world.open()
    await world.clock.advance(5_000)
    for (const tab of [third, second, first]) {
      tab.send({ type: 'refresh.request' })
      await world.clock.advance(20_000)
    }
    expect([world.server.counts.reused, phases(world.tabs), brokenIn(world)]).toEqual([
      0,
      ['authenticated', 'authenticated', 'authenticated'],
      [],
    ])
  })

  test('── spent ── hangs ── signed out elsewhere ── resumes: no user is signed in again', async () => {
    const { world, first, second } = await hanging()
    await world.clock.advance(40_000)
    second.signOut('local')
    await world.clock.advance(5_000)
    first.release()
    await world.clock.advance(5_000)
    expect([phases(world.tabs), brokenIn(world)]).toEqual([['signedOut', 'signedOut'], []])
  })
})
