// How a console reads a ring: in batches, with numbers reduced by the dropped records.
import { beforeEach, expect, test, vi } from 'vitest'
import { createSegments } from '../../src/services/recording/index.ts'
import { batchOf, type ReplayableTrace, LiveFeed } from '../../src/trace/index.ts'
import { createRandomRun } from '../harness/random-system.ts'

beforeEach(() => void vi.spyOn(console, 'warn').mockReturnValue())

/** Subscribers of a recording are notified of its steps once per task. */
const flush = () => new Promise<void>(resolve => setTimeout(resolve, 0))

async function segmented(stimuli: number) {
  const { recorder, clock, drive } = createRandomRun(77, 0.4)
  const segments = createSegments(recorder, clock.now, { stimuli })
  recorder.start()
  await drive(10)
  return { drive, segments, more: async () => (await drive(6), await flush()) }
}

/** Reads everything, this many at a time; also returns how many turns it took. */
function readBy(most: number, trace: ReplayableTrace) {
  for (let turns = 1; ; turns++) {
    const { isWhole, actors, stimuli, steps } = batchOf(trace, most)
    if (isWhole) return { turns, actors: [...actors], stimuli: [...stimuli], steps: [...steps] }
  }
}

test('batches add up to what reading at once gives, across all segments and while it grows', async () => {
  const { drive, segments } = await segmented(10_000)
  segments.renew()
  await drive(10)
  segments.renew()
  await drive(10)
  const { trace } = segments
  const { turns, ...read } = readBy(5, trace)
  expect(turns).toBeGreaterThan(read.steps.length / 5)
  expect(read).toEqual({ actors: trace.actors, stimuli: trace.stimuli, steps: trace.steps })
  await drive(5)
  expect(batchOf(trace, 0).steps).toHaveLength(read.steps.length)
  expect(readBy(5, trace).steps).toEqual(trace.steps)
  expect(trace.steps.length).toBeGreaterThan(read.steps.length)
})

test('a timeline takes bookmarks from batches, without joining the whole recording', async () => {
  const { segments } = await segmented(10_000)
  segments.renew()
  segments.bookmark('noted', 1)
  const whole = { get: () => expect.fail('the bookmarks of the whole recording were read') }
  const feed = new LiveFeed(Object.create(segments.trace, { bookmarks: whole }) as ReplayableTrace)
  do feed.advance(5)
  while (feed.isBehind)
  expect(feed.timeline.size).toBeGreaterThan(5)
  expect(feed.timeline.bookmarks).toEqual([{ line: 'bookmark', step: 1, note: 'noted' }])
})

test('a copy with its own lists has no batches of the original', async () => {
  const { recorder, drive } = createRandomRun(78, 0.4)
  recorder.start()
  await drive(10)
  const { trace } = recorder
  const copy = { ...trace, steps: trace.steps.slice(0, 3) }
  expect([batchOf(copy, 1).steps, batchOf(trace, 1).steps]).toEqual([copy.steps, trace.steps])
  expect(trace.steps.length).toBeGreaterThan(3)
})

test('remaining records are renumbered by the dropped ones; a new recording drops none', async () => {
  const { more, segments } = await segmented(40)
  const { trace } = segments
  const seen: (readonly [number | undefined, ReplayableTrace['steps']])[] = []
  for (let n = 0; n < 30; n++) {
    await more()
    seen.push([trace.dropped, [...trace.steps]])
  }
  const cuts = seen.slice(1).map(([dropped = 0, steps], n) => {
    const [before = 0, known = []] = seen[n] ?? []
    const by = dropped - before
    const tail = known.slice(Math.max(known.length - 5, by)).map(({ seq, t, event }) => [seq - by, t, event])
    expect(tail).toEqual(
      tail.map(([seq]) => steps[Number(seq)]).map(step => [step?.seq, step?.t, step?.event]),
    )
    return by
  })
  expect(cuts.filter(by => by > 0).length).toBeGreaterThan(1)
  segments.start()
  expect(trace.dropped).toBe(0)
})

test('assembled lists are cached while there is a subscriber, and released a task later', async () => {
  const { segments, more } = await segmented(10_000)
  const { trace } = segments
  const ends = [trace.subscribe(() => undefined), trace.subscribe(() => undefined)]
  const { steps } = trace
  ends[0]?.()
  ends[0]?.()
  await flush()
  expect(trace.steps).toBe(steps)
  ends[1]?.()
  const again = trace.subscribe(() => undefined)
  await flush()
  expect(trace.steps).toBe(steps)
  again()
  await flush()
  expect(trace.steps).not.toBe(steps)
  expect(trace.steps).toEqual(steps)
  await more()
  expect(trace.dropped).toBe(0)
})
