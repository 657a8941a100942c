// Measures what a closed console costs the app: almost nothing, as shown by two pages that take turns.
import type { CDPSession, Page } from 'playwright-core'
import { median, type Benchmark } from '../contract.ts'
import { inPages } from './in-page.ts'

/** Events per turn: a few milliseconds of work. */
const STEPS = 4000
const TURNS = 40
/** Warm-up turns for the compiler. */
const WARM = 8

export const consoleClosed: Benchmark = {
  name: 'console-closed',
  unit: 'ms',
  peer: 'the same app in a page where the console was never opened',
  measure: samples =>
    inPages(async open => {
      const measured = { ours: [] as number[], peer: [] as number[] }
      for (let at = 0; at < samples; at++) {
        const [ours, peer] = await Promise.all([started(await open(), true), started(await open(), false)])
        const [took, tookPeer] = await byTurns(ours, peer)
        measured.ours.push(took)
        measured.peer.push(tookPeer)
        await Promise.all([ours.page.close(), peer.page.close()])
      }
      return measured
    }),
}

interface Running {
  readonly page: Page
  readonly devtools: CDPSession
}

async function started(page: Page, wasOpen: boolean): Promise<Running> {
  await page.evaluate(opened => window.bench.startApp(opened), wasOpen)
  if ((await page.evaluate(() => window.bench.listeners())) > 0) throw new Error('the console still listens')
  const devtools = await page.context().newCDPSession(page)
  // Counts only the page's own thread, which reduces the influence of other programs.
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  await devtools.send('HeapProfiler.collectGarbage')
  return { page, devtools }
}

/** The median turn of each, in milliseconds; the order alternates every turn. */
async function byTurns(ours: Running, peer: Running): Promise<readonly [number, number]> {
  const [times, peerTimes]: [number[], number[]] = [[], []]
  for (let turn = 0; turn < WARM + TURNS; turn++) {
    const both = [[times, ours] as const, [peerTimes, peer] as const]
    for (const [list, one] of turn % 2 === 0 ? both : both.toReversed()) list.push(await workOf(one))
  }
  return [median(times.slice(WARM)), median(peerTimes.slice(WARM))]
}

async function workOf({ page, devtools }: Running): Promise<number> {
  const before = await taskTime(devtools)
  await page.evaluate(steps => window.bench.work(steps), STEPS)
  return (await taskTime(devtools)) - before
}

async function taskTime(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics')
  return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN)
}
