// Measures what a page holds while the console follows thousands of records per second for many minutes.
import type { Page } from 'playwright-core'
import type { Benchmark } from '../contract.ts'
import { inPages } from './in-page.ts'
import { BEFORE, heldBy, RATE } from './live.ts'

const MINUTE = 60

/** Prints what the page holds after each minute; `--minutes 60` runs for an hour. */
export const consoleSoak: Benchmark = {
  name: 'console-soak-5k',
  unit: 'MB',
  peer: 'the same page after the first minute',
  onlyWhenNamed: true,
  measure: (_samples, minutes) =>
    inPages(async open => {
      const page = await open()
      await page.evaluate(before => window.bench.prepare({}, before), BEFORE)
      const heaps: number[] = []
      for (let minute = 1; minute <= minutes; minute++) {
        await page.evaluate(([rate, seconds]) => window.bench.live('console', rate, seconds), [
          RATE,
          MINUTE,
        ] as const)
        heaps.push(await heldBy(page))
        console.error(`minute ${minute}: ${heaps.at(-1)?.toFixed(1)} MB, ${await domOf(page)}`)
      }
      return { ours: heaps.slice(-1), peer: heaps.slice(0, 1) }
    }),
}

async function domOf(page: Page): Promise<string> {
  const devtools = await page.context().newCDPSession(page)
  const { nodes, jsEventListeners } = await devtools.send('Memory.getDOMCounters')
  await devtools.detach()
  return `${nodes} nodes, ${jsEventListeners} event listeners`
}
