// Measures what it costs a page when the console follows thousands of records per second.
import type { Page } from 'playwright-core'
import type { Benchmark } from '../contract.ts'
import { inPages, sampled } from './in-page.ts'
import { describeTask, longestTaskOf } from './tasks.ts'

/** Records per second. */
export const RATE = 5000
const SECONDS = 60
/** Events in the ring when the console opens. */
export const BEFORE = 100_000

const longestOf = (tool: 'console' | 'redux' | 'inspect') => async (page: Page) => {
  await page.evaluate(before => window.bench.prepare({}, before), tool === 'console' ? BEFORE : 0)
  const { longest } = await longestTaskOf(page, () =>
    page.evaluate(([who, rate, seconds]) => window.bench.live(who, rate, seconds), [
      tool,
      RATE,
      SECONDS,
    ] as const),
  )
  console.error(`${tool}: ${describeTask(longest)}`)
  return longest.thread
}

export const consoleLive = live('console-live-5k', 'inspect', "@statelyai/inspect's path with the same feed")
export const consoleLiveRedux = live(
  'console-live-5k-redux',
  'redux',
  "Redux DevTools' instrument (50 actions) with the same feed",
)

function live(name: string, tool: 'redux' | 'inspect', peer: string): Benchmark {
  const measure = (samples: number) =>
    inPages(open => sampled(samples, open, longestOf('console'), longestOf(tool)))
  return { name, unit: 'ms', peer, measure }
}

export const consoleLiveHeap: Benchmark = {
  name: 'console-live-5k-heap',
  unit: 'MB',
  peer: 'the same page half a minute earlier',
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

/** Megabytes in use after a garbage collection. */
export async function heldBy(page: Page): Promise<number> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('HeapProfiler.collectGarbage')
  const { usedSize } = await devtools.send('Runtime.getHeapUsage')
  await devtools.detach()
  return usedSize / 1e6
}
