// Measures the frame time while scrolling through a table of a million rows.
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { inPages, sampled } from '../console/in-page.ts'
import type { Benchmark } from '../contract.ts'
import type { GridBench } from './page/page.tsx'

const FRAMES = 400

const p95 = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1] ?? NaN

const scrolled = (which: 'ours' | 'peer') => async (page: Page) => {
  const times = await page.evaluate(
    async ([grid, frames]) => {
      const { bench } = window as unknown as { readonly bench: GridBench }
      await bench.show(grid)
      // The first frames warm up caches that later frames use.
      await bench.scroll(30)
      return bench.scroll(frames)
    },
    [which, FRAMES] as const,
  )
  return p95(times)
}

export const gridMillion: Benchmark = {
  name: 'grid-1m',
  unit: 'ms',
  peer: 'react-data-grid scrolled the same way over the same rows',
  measure: samples =>
    inPages(
      open => sampled(samples, open, scrolled('ours'), scrolled('peer')),
      join(import.meta.dirname, 'page'),
    ),
}
