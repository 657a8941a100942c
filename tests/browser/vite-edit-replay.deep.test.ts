// Edit and replay in Chromium: the verdict of a saved machine module in the console, and its application without a reload.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import { withBrowser } from '../harness/browser.ts'
import { PATIENCE } from '../harness/shared-page.ts'
import { serveApp } from '../harness/vite-plugin-server.ts'

/** Time between two saves in milliseconds. */
const SAVES = { interval: 400, timeout: PATIENCE }

const test = withBrowser.extend('app', ({}, { onCleanup }) => serveApp('edit-app', onCleanup))

interface Till {
  readonly till: () => unknown
  readonly sendTill: (event: object) => void
}

const till = (page: Page) => page.evaluate(() => (globalThis as unknown as Till).till())
const send = (page: Page, ...events: readonly object[]) =>
  page.evaluate(all => all.forEach(one => (globalThis as unknown as Till).sendTill(one)), events)
const line = (page: Page) => page.getByRole('status', { name: 'Edit and replay' })
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

async function opened(browser: Browser, url: string): Promise<Page> {
  const context = await browser.newContext({
    reducedMotion: 'reduce',
    viewport: { width: 1440, height: 900 },
  })
  const page = await context.newPage()
  page.setDefaultTimeout(PATIENCE)
  await page.goto(url)
  await page.getByText('Count: 0').waitFor()
  await page.keyboard.press('Control+`')
  await page.getByRole('region', { name: 'Console' }).first().waitFor()
  return page
}

test('an edit is judged, shown and applied, and the state is that of a page that had it from the start', async ({
  app: { folder, url },
  browser,
}) => {
  const file = join(folder, 'machine.ts')
  const original = await readFile(file, 'utf8')
  const edit = (from: string, to: string) => writeFile(file, original.replace(from, to))
  const page = await opened(browser, url)
  const inputs = [
    { type: 'login', token: 'tok-1234567890' },
    { type: 'add' },
    { type: 'add' },
    { type: 'close' },
  ]
  await send(page, ...inputs)
  await page.getByText('Count: 2, closed').waitFor()
  await page.getByLabel('Note').fill('half a thought')
  await page.evaluate(() => Object.assign(globalThis, { isSame: true }))

  await edit('1_000_000', '2_000_000')
  await line(page)
    .getByText(/machine\.ts: same in all \d+ steps/)
    .waitFor()
  await edit('context.count + 1', 'context.count + 10')
  await line(page)
    .getByText(/machine\.ts: differs at step \d+/)
    .waitFor()
  await page.getByText('Count: 2, closed').waitFor()
  await press(page, 'Show')
  await page.getByRole('region', { name: 'With the new version' }).locator('[data-state="open"]').waitFor()
  await page.getByRole('region', { name: 'Recorded' }).locator('[data-state="open"]').waitFor()

  await press(page, 'Apply')
  await line(page).getByText('is applied').waitFor()
  await page.getByText('Count: 20, closed').waitFor()
  expect(await page.getByLabel('Note').inputValue()).toBe('half a thought')
  expect(await page.evaluate(() => (globalThis as { isSame?: boolean }).isSame)).toBe(true)

  const fresh = await opened(browser, url)
  await send(fresh, ...inputs)
  await fresh.getByText('Count: 20, closed').waitFor()
  expect(await till(page)).toEqual(await till(fresh))

  // What cannot be used leaves the app alone. A watcher may miss a save right after another.
  for (const [text, problem] of [
    [`${original}\nconst = 1`, /It cannot be loaded: /],
    [`${original}\nthrow new Error('no such luck')`, /It throws while it is loaded: no such luck/],
    [original.replace("id: 'till'", "id: 'desk'"), /till now has the id desk/],
  ] as const)
    await expect
      .poll(async () => {
        await writeFile(file, text)
        return line(page).innerText()
      }, SAVES)
      .toMatch(problem)
  await page.getByText('Count: 20, closed').waitFor()

  // A module with components is updated by Vite, and its recording compared, too.
  await press(page, 'Ticks: 0')
  await page.getByRole('button', { name: 'Ticks: 1' }).waitFor()
  const clock = join(folder, 'clock-button.tsx')
  const clockText = await readFile(clock, 'utf8')
  await writeFile(
    clock,
    clockText.replace('context.ticks + 1', 'context.ticks + 5').replace('Ticks: ', 'Clock: '),
  )
  await line(page)
    .getByText(/clock-button\.tsx: differs at step \d+: clock on tick/)
    .waitFor()
  await press(page, 'Clock: 1')
  await page.getByRole('button', { name: 'Clock: 6' }).waitFor()
  expect(await page.getByRole('button', { name: 'Apply' }).count()).toBe(0)

  // A later mount of the old reference is the new machine.
  await press(page, 'Second till')
  await press(page, 'Second: 0')
  await page.getByRole('button', { name: 'Second: 10' }).waitFor()

  await expect
    .poll(async () => {
      await edit('context.count + 1', 'context.count + 100')
      return line(page).innerText()
    }, SAVES)
    .toMatch(/machine\.ts: till #2 differs at step \d+/)
  await press(page, 'Update as usual')
  await line(page).waitFor({ state: 'hidden' })
  await page.getByText('Count: 20, closed').waitFor()
})
