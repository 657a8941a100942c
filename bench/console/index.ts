// What the console costs a page: scrubbing through a million records, following thousands a second, and being closed.
import type { Page } from 'playwright-core'
import type { Benchmark, Measured } from '../contract.ts'
import { millionRecords } from '../traces/million.ts'
import { inPages } from './in-page.ts'
import type { ConsoleBench } from './page/page.tsx'

declare global {
  interface Window {
    readonly bench: ConsoleBench
  }
}

const FRAMES = 300
/** The instrument copies its list of actions with each: more would take minutes to fill. */
const REDUX_ACTIONS = 5000
const RATE = 5000
const SECONDS = 60
const STEPS = 50_000
/** The first turns are those of the compiler. */
const TURNS = 8

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

async function scrubbed(page: Page, path: string): Promise<number> {
  await openMillionIn(page, path)
  await page.getByText(/^Reading the events/).waitFor({ state: 'detached', timeout: 180_000 })
  return percentile(await page.evaluate(count => window.bench.scrub(count), FRAMES), 0.95)
}

async function jumped(page: Page): Promise<number> {
  const frames = await page.evaluate(([actions, count]) => window.bench.scrubRedux(actions, count), [
    REDUX_ACTIONS,
    FRAMES,
  ] as const)
  return percentile(frames, 0.95)
}

const longestOf = (taker: 'console' | 'redux' | 'inspect') => async (page: Page) => {
  if (taker === 'console') await page.evaluate(() => window.bench.open())
  const { longest } = await page.evaluate(([who, rate, seconds]) => window.bench.live(who, rate, seconds), [
    taker,
    RATE,
    SECONDS,
  ] as const)
  return longest
}

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

export const consoleClosed: Benchmark = {
  name: 'console-closed',
  unit: 'ms',
  peer: 'the same page in which it was never opened',
  measure: samples => inPages(open => sampled(samples, open, worked(true), worked(false))),
}

/** An app that works after the console was open for a while, or never was. */
const worked = (wasOpen: boolean) => async (page: Page) => {
  if (wasOpen) {
    await page.evaluate(() => window.bench.open())
    await page.getByRole('region', { name: 'Console' }).waitFor()
    await page.evaluate(() => window.bench.close())
  }
  if ((await page.evaluate(() => window.bench.listeners())) > 0) throw new Error('the console still listens')
  return page.evaluate(([steps, turns]) => window.bench.work(steps, turns), [STEPS, TURNS] as const)
}

/** Ours and the peer by turns, each in a page of its own. */
async function sampled(
  samples: number,
  open: () => Promise<Page>,
  ours: (page: Page) => Promise<number>,
  peer: (page: Page) => Promise<number>,
): Promise<Measured> {
  const measured = { ours: [] as number[], peer: [] as number[] }
  for (let at = 0; at < samples; at++) {
    for (const [list, measure] of [[measured.peer, peer] as const, [measured.ours, ours] as const]) {
      const page = await open()
      list.push(await measure(page))
      await page.close()
    }
  }
  return measured
}
