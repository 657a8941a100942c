// The console with large data: many actors, large contexts, a large chart; compared to small data.
import type { Page } from 'playwright-core'
import type { Benchmark } from '../contract.ts'
import { inPages, sampled } from './in-page.ts'
import { describeTask, longestTaskOf } from './tasks.ts'
import type { FeedOptions } from './page/feed.ts'

const EVENTS = 10_000
/** Each event carries a separate list. */
const LARGE_EVENTS = 300
const STEPS = 40
/** The center tabs that show many actors or states. */
const TABS = ['Chart', 'Timeline', 'Sequence']
/** Frames between two steps, as with a held key. */
const EVERY = 2

const lookedAt = (options: FeedOptions, before: number) => async (page: Page) => {
  await page.evaluate(([feed, events]) => window.bench.prepare(feed, events), [options, before] as const)
  const { longest } = await longestTaskOf(page, () =>
    page.evaluate(([steps, every, tabs]) => window.bench.look(steps, every, tabs), [
      STEPS,
      EVERY,
      TABS,
    ] as const),
  )
  console.error(`${JSON.stringify(options)}: ${describeTask(longest)}`)
  return longest.thread
}

/** The longest task after the console opens, while the user steps through the recording. */
const large = (
  name: string,
  [much, little]: readonly [FeedOptions, FeedOptions],
  peer: string,
  events = EVENTS,
): Benchmark => ({
  name,
  unit: 'ms',
  peer,
  measure: samples =>
    inPages(open => sampled(samples, open, lookedAt(much, events), lookedAt(little, events))),
})

export const consoleActors = large(
  'console-actors-2k',
  [{ actors: 2000 }, { actors: 20 }],
  'the same with 20 actors',
)

export const consoleContexts = large(
  'console-contexts-5mb',
  [{ contextBytes: 5_000_000 }, { contextBytes: 1000 }],
  'the same with contexts of 1 kB',
  LARGE_EVENTS,
)

export const consoleChart = large(
  'console-chart-300',
  [
    { actors: 4, states: 300 },
    { actors: 4, states: 4 },
  ],
  'the same with a chart of 4 states',
)
