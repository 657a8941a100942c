// The page of `chartroom replay --html` in a real browser: opened as a file, in every look, without a network.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect } from 'vitest'
import type { FileResult } from '../../src/cli/file-report.ts'
import { htmlReport } from '../../src/cli/html-report.ts'
import { withBrowser } from '../harness/browser.ts'
import { complaintsInEveryLook } from '../harness/looks.ts'
import { watchPage } from '../harness/page-watch.ts'

const test = withBrowser

const folder = mkdtempSync(join(tmpdir(), 'chartroom-report-'))
afterAll(() => rmSync(folder, { recursive: true }))

const failed = (name: string, problem: string): FileResult => ({
  file: `reports/2026-11-26/${name}.gz`,
  seconds: 0.25,
  code: 1,
  outcome: 'diverged',
  lines: [
    '7 stimuli, 21 recorded steps; 15 steps identical',
    `first difference: ${'long '.repeat(60)}${'x'.repeat(300)}`,
  ],
  message: problem,
  problem,
})
const results: readonly FileResult[] = [
  failed('a', 'client/requests/request.n took send.answered: /value differs'),
  { ...failed('b', 'cannot be read: no such file'), code: 2, outcome: 'unusable' },
  failed('c', 'client/requests/request.n took send.answered: /value differs'),
  ...Array.from({ length: 30 }, (_, n): FileResult => ({
    ...failed(`ok-${n}`, ''),
    code: 0,
    outcome: 'exact',
  })),
]

test('the page is accessible, fits, and shows equal problems once', async ({ browser }) => {
  const file = join(folder, 'report.html')
  writeFileSync(file, [...htmlReport('replay', results)].join(''))
  const context = await browser.newContext({ offline: true })
  const page = await context.newPage()
  const watch = watchPage(page)
  await page.goto(pathToFileURL(file).href)
  const problems = page.getByRole('article')
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('3 of 33 files failed')
  expect(await problems.getByRole('heading', { level: 3 }).allTextContents()).toEqual([
    'diverged client/requests/request.n took send.answered: /value differs',
    'unusable cannot be read: no such file',
  ])
  await page.getByText('reports/2026-11-26/c.gz').click()
  expect(await problems.first().locator('pre').last().isVisible()).toBe(true)
  await page.getByText('30 files').click()
  expect(await page.getByText('reports/2026-11-26/ok-29.gz').isVisible()).toBe(true)
  const sizes = { wide: { width: 1280, height: 800 }, narrow: { width: 320, height: 640 } }
  expect(await complaintsInEveryLook(page, sizes)).toEqual([])
  expect(watch.problems()).toEqual([])
  await context.close()
})
