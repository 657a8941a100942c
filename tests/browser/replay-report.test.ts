// The page of `chartroom replay --html` in a real browser: opened as a file, without a network.
import { expect } from 'vitest'
import { withBrowser } from '../harness/browser.ts'
import { watchPage } from '../harness/page-watch.ts'
import { replayReport } from '../harness/replay-report.ts'

const test = withBrowser

test('the page shows equal problems once, and the replays without one', async ({ browser }) => {
  const context = await browser.newContext({ offline: true })
  const page = await context.newPage()
  const watch = watchPage(page)
  await page.goto(await replayReport())
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
  expect(watch.problems()).toEqual([])
  await context.close()
})
