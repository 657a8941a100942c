// What the console costs a page: scrubbing through a million records, following thousands a second, and being closed.
import type { Page } from 'playwright-core'
import type { Benchmark } from '../contract.ts'
import { millionRecords } from '../traces/million.ts'
import { inPages, sampled } from './in-page.ts'

const FRAMES = 300
/** A file of which nothing more came for so long has been read. */
const SETTLED_MS = 3000
/** The instrument copies its list of actions with each: more would take minutes to fill. */
const REDUX_ACTIONS = 5000
const RATE = 5000
const SECONDS = 60
/** What the ring holds when the console is opened. */
const BEFORE = 100_000

const percentile = (numbers: readonly number[], share: number): number =>
  numbers.toSorted((a, b) => a - b)[Math.ceil(numbers.length * share) - 1] ?? NaN

/** Opens the file of a million records in the console, and waits for its last one. */
async function openMillionIn(page: Page, path: string): Promise<void> {
  await page.evaluate(() => window.bench.open())
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Open a trace file' }).click()
  await (await choosing).setFiles(path)
  await page.getByRole('grid', { name: 'Event log' }).getByRole('row').nth(2).waitFor()
}

export const consoleScrub: Benchmark = {
  name: 'console-scrub-1m',
  unit: 'ms',
  peer: `Redux DevTools' instrument jumping among ${REDUX_ACTIONS} actions, which it draws nothing of`,
  measure: async samples => {
    const path = await millionRecords()
    return inPages(open => sampled(samples, open, page => scrubbed(page, path), jumped))
  },
}

/** In the middle; actors, overview, log and the selected event are beside each of them. */
const VIEWS = ['Chart', 'Sequence', 'Timeline', 'Network'] as const

/** Of the slowest view. */
async function scrubbed(page: Page, path: string): Promise<number> {
  await openMillionIn(page, path)
  await wholeFile(page)
  const slowest: number[] = []
  for (const view of VIEWS) {
    await page.getByRole('tab', { name: view, exact: true }).click()
    await page.getByRole('tabpanel', { name: view }).waitFor()
    slowest.push(percentile(await page.evaluate(count => window.bench.scrub(count), FRAMES), 0.95))
  }
  return Math.max(...slowest)
}

/** Until no more events come: the last of them is named in the toolbar. */
async function wholeFile(page: Page): Promise<void> {
  const end = page.getByText(/^event [\d,]+ of [\d,]+$/)
  let before = ''
  for (let now = await end.innerText(); now !== before; now = await end.innerText()) {
    before = now
    await page.waitForTimeout(SETTLED_MS)
  }
}

async function jumped(page: Page): Promise<number> {
  const frames = await page.evaluate(([actions, count]) => window.bench.scrubRedux(actions, count), [
    REDUX_ACTIONS,
    FRAMES,
  ] as const)
  return percentile(frames, 0.95)
}

const longestOf = (taker: 'console' | 'redux' | 'inspect') => (page: Page) =>
  page.evaluate(
    ([who, before, rate, seconds]) => {
      window.bench.prepare({}, before)
      return window.bench.live(who, rate, seconds)
    },
    [taker, taker === 'console' ? BEFORE : 0, RATE, SECONDS] as const,
  )

export const consoleLive = live('console-live-5k', 'inspect', "@statelyai/inspect's path on the same feed")
export const consoleLiveRedux = live(
  'console-live-5k-redux',
  'redux',
  "Redux DevTools' instrument with its 50 actions on the same feed",
)

function live(name: string, taker: 'redux' | 'inspect', peer: string): Benchmark {
  const measure = (samples: number) =>
    inPages(open => sampled(samples, open, longestOf('console'), longestOf(taker)))
  return { name, unit: 'ms', peer, measure }
}

export const consoleLiveHeap: Benchmark = {
  name: 'console-live-5k-heap',
  unit: 'MB',
  peer: 'the same page half a minute before',
  measure: samples =>
    inPages(async open => {
      const measured = { ours: [] as number[], peer: [] as number[] }
      for (let at = 0; at < samples; at++) {
        const page = await open()
        const half = async () => {
          await page.evaluate(([rate, seconds]) => window.bench.live('console', rate, seconds), [
            RATE,
            SECONDS / 2,
          ] as const)
          return heldBy(page)
        }
        await page.evaluate(before => window.bench.prepare({}, before), BEFORE)
        measured.peer.push(await half())
        measured.ours.push(await half())
        await page.close()
      }
      return measured
    }),
}

/** Megabytes that are left after a collection. */
async function heldBy(page: Page): Promise<number> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('HeapProfiler.collectGarbage')
  const { usedSize } = await devtools.send('Runtime.getHeapUsage')
  await devtools.detach()
  return usedSize / 1e6
}
