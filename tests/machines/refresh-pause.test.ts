// Pauses of the refresh: hidden, offline, frozen, follower; what ends them, and the storage check that comes
// first.
import { describe, expect, test } from 'vitest'
import type { EnvironmentEvent } from '../../src/machines/ports.ts'
import type { ClientStatus } from '../../src/machines/index.ts'
import type { VirtualClock } from '../../src/testing/virtual-clock.ts'
import { scenario } from '../harness/scenario.ts'
import { token, type Behavior, type Script } from '../harness/scripted-ports.ts'

type Change = readonly [at: number, part: { online?: boolean; visible?: boolean; frozen?: boolean }]

const changes = (...steps: readonly Change[]): Script<EnvironmentEvent> => {
  let present = { online: true, visible: true, frozen: false }
  return [
    [0, { type: 'environment.changed', ...present }],
    ...steps.map(([at, part]): Script<EnvironmentEvent>[number] => {
      present = { ...present, ...part }
      return [at, { type: 'environment.changed', ...present }]
    }),
  ]
}

/** A token of 300 s, due at 210 s. */
const shortLived = (
  environment: Script<EnvironmentEvent>,
  rest: (clock: VirtualClock) => Partial<Behavior> = () => ({}),
) => {
  const run = scenario(clock => ({
    environment: () => environment,
    authenticate: n => [[20, { type: 'auth.succeeded', token: token(clock, n, 300) }]],
    ...rest(clock),
  }))
  run.signIn()
  const until = (at: number) => run.clock.advance(at - run.clock.now())
  return { ...run, until }
}

const tokenOf = ({ session }: ClientStatus) =>
  session.phase === 'authenticated'
    ? session.token
    : { state: session.phase, paused: undefined, role: undefined }
const shown = (status: ClientStatus) => [tokenOf(status).state, tokenOf(status).paused]

describe('a hidden page without waiting requests', () => {
  test('hidden ─ the token expires ─ visible ─ check ─ refreshed', () => {
    const { until, status, starts } = shortLived(
      changes([100_000, { visible: false }], [900_000, { visible: true }]),
    )
    until(899_999)
    expect([...shown(status()), starts('refreshToken')]).toEqual(['expired', 'hidden', 0])
    until(900_100)
    expect([...shown(status()), starts('refreshToken')]).toEqual(['fresh', undefined, 1])
  })

  test('hidden, but a channel is joined: refreshed as usual', () => {
    const { until, send, status, starts } = shortLived(changes([100_000, { visible: false }]))
    send({ type: 'channel.join', topic: 'bridge', options: {} })
    until(280_000)
    expect([...shown(status()), starts('refreshToken')]).toEqual(['fresh', undefined, 1])
  })

  test('hidden with an expired token, and a request waits: refreshed for it', () => {
    const { until, request, outcome, status, starts } = shortLived(changes([100_000, { visible: false }]))
    until(600_000)
    const id = request()
    until(600_100)
    expect([outcome(id), starts('refreshToken')]).toMatchObject([{ id }, 1])
    until(900_000)
    expect([...shown(status()), starts('refreshToken')]).toEqual(['fresh', 'hidden', 1])
  })

  test('hidden with a fresh token, then visible: only a check', () => {
    const { until, status, starts, journal } = shortLived(
      changes([10_000, { visible: false }], [20_000, { visible: true }]),
    )
    until(20_100)
    expect([...shown(status()), starts('refreshToken'), starts('lock')]).toEqual(['fresh', undefined, 0, 0])
    expect(journal.filter(line => line.startsWith('readSession'))).toEqual([
      'readSession 1',
      'readSession 1 stopped',
      'readSession 2',
      'readSession 2 stopped',
    ])
  })
})

describe('frozen', () => {
  test('in mid-call: the call is aborted, the lock released; resumed: a check, then the call', () => {
    const { until, send, status, journal, starts } = shortLived(
      changes([10_010, { frozen: true }], [90_000, { frozen: false }]),
    )
    until(10_000)
    send({ type: 'refresh.request' })
    until(10_010)
    expect(journal.slice(-4)).toEqual([
      'leadership 1 stopped',
      'tabs 1 stopped',
      'lock 1 stopped',
      'refreshToken 1 stopped',
    ])
    expect(shown(status())).toEqual(['refreshing', 'frozen'])
    until(90_100)
    expect([starts('refreshToken'), starts('leadership')]).toEqual([2, 2])
  })

  test('woke from sleep: a check at once, without waiting for a timer', () => {
    const { until, starts, status } = shortLived([
      [0, { type: 'environment.changed', online: true, visible: true }],
      [50_000, { type: 'environment.woke', slept: 3_600_000, at: 50_000 }],
    ])
    until(49_999)
    expect(starts('readSession')).toBe(1)
    until(50_000)
    expect([starts('readSession'), ...shown(status())]).toEqual([2, 'fresh', undefined])
  })
})

describe('offline', () => {
  test('due while offline: nothing is tried; online: a check, then the call', () => {
    const { until, starts, status } = shortLived(
      changes([100_000, { online: false }], [250_000, { online: true }]),
    )
    until(249_999)
    expect([...shown(status()), starts('refreshToken'), starts('readSession')]).toEqual([
      'fresh',
      'offline',
      0,
      1,
    ])
    until(250_100)
    expect([...shown(status()), starts('refreshToken')]).toEqual(['fresh', undefined, 1])
  })
})

describe('follower', () => {
  const followed = (rest: (clock: VirtualClock) => Partial<Behavior> = () => ({})) =>
    shortLived(changes(), clock => ({ leadership: () => [], ...rest(clock) }))

  test('due: left to the leader; overdue: refreshed under the lock', () => {
    const { until, status, starts } = followed()
    until(240_000)
    expect([...shown(status()), tokenOf(status()).role, starts('refreshToken')]).toEqual([
      'fresh',
      'follower',
      'follower',
      0,
    ])
    until(280_000)
    expect([...shown(status()), starts('refreshToken')]).toEqual(['fresh', 'follower', 1])
  })

  test('the leader rotated: adopted', () => {
    const { until, status, starts, client } = followed(clock => ({
      tabs: () => [[211_000, { type: 'stored.changed', by: 'otherTab', what: 'written' }]],
      readSession: (_, input) =>
        input?.tokenId === undefined
          ? [[1, { type: 'stored.none' }]]
          : [[0, { type: 'stored.found', token: token(clock, 4, 300) }]],
    }))
    until(290_000)
    expect([...shown(status()), starts('refreshToken')]).toEqual(['fresh', 'follower', 0])
    expect(client.getSnapshot().context.token?.id).toBe('token-4')
  })

  test('requested by the app: refreshed under the lock, even by a follower', () => {
    const { until, send, starts } = followed()
    send({ type: 'refresh.request' })
    until(200)
    expect(starts('refreshToken')).toBe(1)
  })
})

describe('automatic refreshing turned off', () => {
  const manual = () => {
    const run = shortLived(changes())
    run.send({ type: 'refresh.automatic', automatic: false })
    return run
  }

  test('the token expires, and a request that needs it has it refreshed', () => {
    const { until, request, outcome, status, starts } = manual()
    until(600_000)
    expect([...shown(status()), starts('refreshToken')]).toEqual(['expired', 'manual', 0])
    const id = request()
    until(600_100)
    expect([outcome(id), ...shown(status()), starts('refreshToken')]).toMatchObject([
      { id },
      'fresh',
      'manual',
      1,
    ])
  })

  test('turned on again: refreshed as usual', () => {
    const { until, send, status, starts } = manual()
    until(250_000)
    expect([...shown(status()), starts('refreshToken')]).toEqual(['fresh', 'manual', 0])
    send({ type: 'refresh.automatic', automatic: true })
    until(250_100)
    expect([...shown(status()), starts('refreshToken')]).toEqual(['fresh', undefined, 1])
  })
})
