// Findings of the chaos runs about time: sleep during responses and pauses, and a clock that is set between
// two lives of a page.
import { describe, expect, test } from 'vitest'
import { brokenIn, createWorld } from '../harness/world.ts'
import { FAIR } from '../harness/world-network.ts'
import { createWorldServer, type WorldCall } from '../harness/world-server.ts'

const HOUR = 3_600_000
const rules = { lifetime: 3_600, reuseInterval: 10 }

/** A tab with a signed-in user. */
async function signedIn(lifetime = rules.lifetime) {
  const world = createWorld({ seed: 1, ...rules, lifetime })
  const tab = world.open()
  tab.signIn('skipper@harbour.test')
  await world.clock.advance(1_000)
  /** What became of the requests, according to the server and the tabs. */
  const books = () => {
    const { counts } = world.server
    const open = world.tabs.reduce((sum, { openCalls }) => sum + openCalls, 0)
    const { refreshes, rows, refused } = counts
    return { open, refreshes, rows, refused, broken: brokenIn(world) }
  }
  return { world, tab, books }
}

const well = { open: 0, broken: [] }

test('── closed ── an hour ── set back ── opened: rejected, refreshed, retried', async () => {
  const { world, tab, books } = await signedIn()
  tab.dispose()
  await world.clock.advance(HOUR + 100_000)
  world.skew = -HOUR / 4
  const next = world.open()
  await world.clock.advance(1_000)
  expect(next.status().session).toMatchObject({ phase: 'authenticated', token: { state: 'fresh' } })
  next.call('POST')
  await world.clock.advance(1_000)
  expect(books()).toEqual({ ...well, refreshes: 1, rows: 2, refused: 1 })
})

test('── token requested ── asleep ── response: no request uses the expired token', async () => {
  const { world, tab, books } = await signedIn()
  tab.send({ type: 'refresh.request' })
  await world.clock.advance(1)
  await world.sleep(2 * HOUR)
  tab.call('POST')
  await world.clock.advance(2_000)
  tab.call('POST')
  await world.clock.advance(2_000)
  expect(books()).toEqual({ ...well, refreshes: 2, rows: 2, refused: 0 })
})

test('── 503 ── pause ── asleep ── pause over: the request waits for the next token', async () => {
  // Shorter than the sleep, which is shorter than the maximum duration of a request.
  const { world, tab, books } = await signedIn(60)
  world.network.conditions = { ...FAIR, unavailable: 1 }
  tab.call('GET')
  await world.clock.advance(100)
  world.network.conditions = FAIR
  await world.sleep(85_000)
  await world.clock.advance(2_000)
  expect(books()).toEqual({ ...well, refreshes: 1, rows: 1, refused: 0 })
})

describe('the simulated server blames a client for a token that had expired when it was sent', () => {
  const ask = { method: 'GET', path: '/rest/v1/log', body: '' }
  const signIn = {
    method: 'POST',
    path: '/auth/v1/token?grant_type=password',
    bearer: '',
    body: JSON.stringify({ email: 'skipper@harbour.test' }),
  }

  test.each<[string, Pick<WorldCall, 'since'> & { readonly setBy: number }, number]>([
    ['by a client that ran all the time', { since: 0, setBy: -HOUR }, 1],
    ['by a later client, with an unchanged clock', { since: 5_000, setBy: 0 }, 1],
    ['by a later client, with the clock set forward', { since: 5_000, setBy: HOUR }, 1],
    ['by a later client, with the clock set back by less', { since: 5_000, setBy: -60_000 }, 1],
    ['but not by a later client whose clock makes the token look valid', { since: 5_000, setBy: -HOUR }, 0],
  ])('%s', (_, { since, setBy }, complaints) => {
    let now = 1_000
    const server = createWorldServer(() => now, 0, rules)
    const { body } = server.answer({ ...signIn, wall: now, since: 0 })
    const { access_token } = body as { access_token: string }
    now += HOUR + 120_000
    const { status } = server.answer({ ...ask, bearer: access_token, wall: now + setBy, since })
    expect([status, server.complaints.length]).toEqual([401, complaints])
  })
})
