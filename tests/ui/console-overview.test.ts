// The overview of a recording: states by family in buckets, for any batches and lengths.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LiveFeed, type Timeline } from '../../src/trace/index.ts'
import { stateTone } from '../../src/ui/console/tone.ts'
import { overviewFacts, BUCKETS, LEVELS, Overview } from '../../src/ui/console/minimap/overview.ts'
import { actorEntries, traceSource, stepRecords } from './console-trace.ts'
import { assertProperty } from '../harness/volume.ts'

const actors = actorEntries(
  ['client', 'client'],
  ['client/session', 'session'],
  ['client/tab', 'tab'],
  ['client/requests', 'requests'],
  ['client/requests/request.1', 'request'],
  ['client/requests/request.2', 'request'],
)

const VALUES = ['booting', 'authenticated', 'signedOut', 'refreshFailed', 'fresh']

const anyView = fc.record({
  actor: fc.nat(actors.length - 1),
  after: fc.oneof(fc.nat(3), fc.nat(400)),
  value: fc.constantFrom(...VALUES),
  ends: fc.boolean(),
})

type Views = Parameters<typeof stepRecords>[0]

function timelineOf(steps: Views): Timeline {
  const feed = new LiveFeed(traceSource({ actors, steps: stepRecords(steps) }))
  feed.advance(Infinity)
  return feed.timeline
}

function overviewOf(timeline: Timeline, batches: readonly number[] = []): Overview {
  const overview = new Overview(timeline, seq => stateTone(timeline.state(seq).leaves[0] ?? '', undefined))
  for (const batch of batches) overview.advance(batch)
  overview.advance(Infinity)
  return overview
}

describe('the overview', () => {
  it('contains the most severe state of each family in each bucket, without ended actors', () => {
    assertProperty(
      fc.property(fc.array(anyView, { minLength: 1, maxLength: 60 }), fc.nat(20), (specs, batch) => {
        let t = 0
        const isEnded = new Set<number>()
        const views = specs.flatMap(({ actor, after, value, ends }) => {
          t += after
          if (isEnded.has(actor) || (actor > 3 && isEnded.has(3)) || isEnded.has(0)) return []
          if (ends) isEnded.add(actor)
          return [{ actor, type: 'moved', t, value, ...(ends && { status: 'done' as const }) }]
        })
        const timeline = timelineOf(views)
        const overview = overviewOf(timeline, [batch, batch])
        for (const [family, src] of [
          [0, 'session'],
          [2, 'request'],
        ] as const)
          expect(overview.levels(family)).toEqual(expectedLevels(timeline, overview.width, src))
      }),
      { numRuns: 60 },
    )
  })

  it('becomes coarser as the recording grows, and loses no event', () => {
    const views = Array.from({ length: 300 }, (_, n) => ({ actor: 0, type: 'error.n', t: n * n }))
    const overview = overviewOf(timelineOf(views), [1, 7, 100])
    expect(overview.width).toBe(32)
    expect(overview.bucketAt(299 * 299)).toBeLessThan(BUCKETS)
    expect(overview.events.reduce((sum, value) => sum + value, 0)).toBe(300)
  })

  it('describes a position', () => {
    const timeline = timelineOf([
      { actor: 0, type: 'xstate.init', t: 0, value: {} },
      { actor: 1, type: 'xstate.init', t: 1, value: 'booting' },
      { actor: 1, type: 'stored.found', t: 20, value: 'authenticated' },
      { actor: 4, type: 'xstate.init', t: 21, value: 'sending' },
      { actor: 5, type: 'xstate.init', t: 21, value: 'fresh' },
      { actor: 3, type: 'request.start', t: 21, value: {} },
      { actor: 2, type: 'clock.tick', t: 900, value: 'leader' },
    ])
    const facts = overviewFacts(timeline, overviewOf(timeline), 21, 2, [{ seq: 4, name: 'never anonymous' }])
    expect(facts).toEqual({
      title: '0.021 · event 5',
      lines: [
        'session: authenticated',
        'request: 1 waiting, 1 ok',
        '3 events in 0.25 ms',
        'failed: never anonymous',
      ],
    })
  })
})

/** Reference implementation, slow. */
function expectedLevels(timeline: Timeline, width: number, src: string): Uint8Array {
  const expected = new Uint8Array(BUCKETS)
  for (const { index } of actors.filter(entry => entry.src === src)) {
    const moves = timeline.movesOf(index)
    const life = timeline.lifeOf(index)
    moves.forEach((seq, at) => {
      if (timeline.status(seq) !== 'active') return
      const next = moves[at + 1]
      const until = next !== undefined ? timeline.t(next) : life.ended ? life.to : Infinity
      const level = LEVELS.indexOf(stateTone(timeline.state(seq).leaves[0] ?? '', undefined)) + 1
      const last = Math.min(BUCKETS - 1, Math.floor(until / width))
      for (let bucket = Math.floor(timeline.t(seq) / width); bucket <= last; bucket++)
        expected[bucket] = Math.max(expected[bucket] ?? 0, level)
    })
  }
  return expected
}
