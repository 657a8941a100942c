// Measures a trace of a million records in the console: until it responds, and while scrubbing.
import type { Page } from 'playwright-core'
import type { Benchmark } from '../contract.ts'
import { millionRecords } from '../traces/million.ts'
import { inPages, sampled } from './in-page.ts'

const FRAMES = 300
/** A file counts as read when nothing more arrives for this long. */
const SETTLED_MS = 3000
/** The rest of the million are stimuli and keyframes, which the log does not list. */
const FEWEST_EVENTS = 500_000
/** The instrument copies its list of actions for each action, so more would take minutes to fill. */
const REDUX_ACTIONS = 5000

const percentile = (numbers: readonly number[], share: number): number =>
  numbers.toSorted((a, b) => a - b)[Math.ceil(numbers.length * share) - 1] ?? NaN

export const consoleOpen: Benchmark = {
  name: 'console-open-1m',
  unit: 'ms',
  peer: `Redux DevTools' instrument taking ${REDUX_ACTIONS} actions without drawing`,
  measure: async samples => {
    const path = await millionRecords()
    const filled = (page: Page) =>
      page.evaluate(actions => window.bench.fillRedux(actions), REDUX_ACTIONS).then(({ took }) => took)
    return inPages(open => sampled(samples, open, page => opened(page, path), filled))
  },
}

export const consoleScrub: Benchmark = {
  name: 'console-scrub-1m',
  unit: 'ms',
  peer: `Redux DevTools' instrument jumping among ${REDUX_ACTIONS} actions without drawing`,
  measure: async samples => {
    const path = await millionRecords()
    return inPages(open => sampled(samples, open, page => scrubbed(page, path), jumped))
  },
}

/** The place in the toolbar, once it has left the end. */
const PLACE = /^event [\d,]+ of (?<events>[\d,]+) \(not at end\)$/

/** Time from choosing the file of a million records until the console has gone one step back in it. */
async function opened(page: Page, path: string): Promise<number> {
  await page.evaluate(() => window.bench.open())
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Open a trace file' }).click()
  const chooser = await choosing
  const log = page.getByRole('grid', { name: 'Event log' })
  const began = performance.now()
  await chooser.setFiles(path)
  await log.getByRole('row').nth(2).waitFor()
  await log.press('ArrowUp')
  await page.getByText(PLACE).waitFor()
  return performance.now() - began
}

/** The center views; actors, overview, log and the selected event are shown next to each. */
const VIEWS = ['Chart', 'Sequence', 'Timeline', 'Network'] as const

/** At 60 Hz; the browser's times of frames are in tenths of a millisecond. */
const FRAME_MS = 1000 / 60

/** The result of the slowest view. */
async function scrubbed(page: Page, path: string): Promise<number> {
  await opened(page, path)
  await wholeFile(page)
  const slowest: number[] = []
  for (const view of VIEWS) {
    await page.getByRole('tab', { name: view, exact: true }).click()
    await page.getByRole('tabpanel', { name: view }).waitFor()
    const taken = await page.evaluate(count => window.bench.scrub(count), FRAMES)
    const missed = taken.filter(time => time > 1.5 * FRAME_MS).length
    console.error(`${view}: ${missed} of ${taken.length} frames took more than one of the screen`)
    slowest.push(percentile(taken, 0.95))
  }
  return Math.max(...slowest)
}

/** Waits until no more events arrive, using the count in the toolbar. */
async function wholeFile(page: Page): Promise<void> {
  const place = page.getByText(PLACE)
  const reading = page.getByText(/^Reading the events of/)
  let before = ''
  for (let now = await place.innerText(); now !== before || (await reading.isVisible());) {
    before = now
    await page.waitForTimeout(SETTLED_MS)
    now = await place.innerText()
  }
  const events = Number(PLACE.exec(before)?.groups?.['events']?.replaceAll(',', ''))
  if (!(events > FEWEST_EVENTS)) throw new Error(`only ${events} events of the file were read`)
}

async function jumped(page: Page): Promise<number> {
  await page.evaluate(actions => window.bench.fillRedux(actions), REDUX_ACTIONS)
  const frames = await page.evaluate(([actions, count]) => window.bench.scrubRedux(actions, count), [
    REDUX_ACTIONS,
    FRAMES,
  ] as const)
  return percentile(frames, 0.95)
}
