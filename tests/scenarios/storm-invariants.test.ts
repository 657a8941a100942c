// What must hold in any weather: one refresh at a time, nobody sent by accident, each request settled once.
import { describe, expect, test } from 'vitest'
import type { ActorEntry, ViewRecord } from '../../src/trace/format.ts'
import { stormyRun } from '../harness/recorded-run.ts'

interface Step extends ViewRecord {
  readonly path: string
}

const steps = (trace: {
  readonly actors: readonly ActorEntry[]
  readonly views: readonly ViewRecord[]
}): Step[] => trace.views.map(view => ({ ...view, path: trace.actors[view.actor]?.path ?? '' }))

const seeds = Array.from({ length: 60 }, (_, n) => n + 1000)

describe.each(seeds)('storm %i', seed => {
  const trace = stormyRun(seed, 30).trace
  const all = steps(trace)

  test('at most one refresh is in flight', () => {
    const alive = new Set<string>()
    let most = 0
    for (const { path, status } of all.filter(step => /refreshToken(#\d+)?$/.test(step.path))) {
      if (status === 'active') alive.add(path)
      else alive.delete(path)
      most = Math.max(most, alive.size)
    }
    expect(most).toBeLessThanOrEqual(1)
  })

  test('a user is sent with a token, and only nobody without one', () => {
    const sending = all.filter(
      ({ path, value }) => path.startsWith('client/requests/request.') && value === 'sending',
    )
    const sentAs = sending.map(({ context }) => context as { identity: string; sentWith?: string })
    expect(
      sentAs.filter(({ identity, sentWith }) => (identity === 'anonymous') !== (sentWith === undefined)),
    ).toEqual([])
  })

  test('causes stand before their effects', () => {
    expect(all.filter(({ seq, by }) => by !== undefined && by >= seq)).toEqual([])
  })

  test('each request settles exactly once', () => {
    const asked = trace.stimuli.flatMap(({ event }) => {
      const { type, info } = (event ?? {}) as { type?: string; info?: { id: string } }
      return type === 'request.start' && info ? [info.id] : []
    })
    const settled = all.flatMap(({ path, event }) => {
      const { type } = event
      return path === 'client/requests' && type.startsWith('xstate.done.actor.request.')
        ? [type.split('.').at(-1)]
        : []
    })
    const byNumber = (ids: readonly (string | undefined)[]) => ids.map(Number).toSorted((a, b) => a - b)
    expect(byNumber(settled)).toEqual(byNumber(asked))
  })
})
