// A backend that no longer accepts the key, as after a rotation; and page loads that ask no more than they need.
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { axeInThemes } from '../harness/axe.ts'
import { withHarbour } from '../harness/browser.ts'
import { startRotatedBackend } from '../harness/rotated-backend.ts'

const test = withHarbour()

/**
 * A backend that has not answered for 2 s is checked. In milliseconds, and less: the browser's events arrive late on a busy
 * machine.
 */
const PATIENCE_MS = 1_000

/** The requests to the backend, from now on, without checks of a backend that takes long. */
function requestsOf(page: Page): string[] {
  const calls: string[] = []
  let lastAt = 0
  page.on('request', request => {
    const { pathname, search } = new URL(request.url())
    if (!/^\/(rest|auth|storage|functions)\/v1\//.test(pathname)) return
    const isCheck = pathname === '/auth/v1/settings' && Date.now() - lastAt >= PATIENCE_MS
    if (!isCheck || calls.length === 0) calls.push(`${request.method()} ${pathname}${search}`)
    lastAt = Date.now()
  })
  return calls
}

const isRefresh = (call: string) => call.includes('grant_type=refresh_token')
const SCHEMA_TEXT = `export type Database = { public: {
  Tables: { vessels: { Row: { id: number; name: string }; Insert: {}; Update: {}; Relationships: [] } }
  Views: {}
  Functions: {}
  Enums: {}
} }`

test('a page load asks at most one request before that of the rows, and refreshes nothing', async ({
  harbour,
  workbench,
}) => {
  const { page, watch } = workbench
  watch.allow(/Failed to load resource/)
  const { schema: _, ...hidden } = (await (await fetch(`${harbour.url}/_chartroom/config`)).json()) as Record<
    string,
    unknown
  >
  await page.route('**/_chartroom/config', route => route.fulfill({ json: hidden }))
  await workbench.openAs(harbour.account('skipper'), '/data/vessels')
  const grid = page.getByRole('grid', { name: /^Rows of / })
  await grid.waitFor()
  const calls = requestsOf(page)
  const stored = (name: string) => `chartroom.ui.${name}.${harbour.url}`
  for (const { how, path, before = ['GET /rest/v1/'], named = {}, file } of [
    { how: 'a table in the URL', path: '/data/vessels' },
    { how: 'the table that was opened before', path: '/data', named: { public: ['vessels'] } },
    { how: 'the first table of a given file', path: '/data', file: { text: SCHEMA_TEXT, name: 'types.ts' } },
    { how: 'the first table of the deployment’s file', path: '/data', before: [] },
  ]) {
    // The last one is the only one for which the deployment has a file.
    if (before.length === 0) await page.unroute('**/_chartroom/config')
    await page.evaluate(
      entries => {
        for (const [key, text] of entries)
          if (text === undefined) localStorage.removeItem(key)
          else localStorage.setItem(key, text)
      },
      [
        [stored('named-tables'), JSON.stringify(named)],
        [stored('schema'), file && JSON.stringify(file)],
      ] as const,
    )
    await page.goto('about:blank')
    calls.length = 0
    await workbench.open(path)
    await grid.getByRole('row').nth(1).waitFor()
    const rows = calls.findIndex(call => /^GET \/rest\/v1\/[a-z]/.test(call))
    expect([how, calls.slice(0, rows)]).toEqual([how, before])
    // What follows the rows, such as the search for a key, refreshes nothing either.
    await page.waitForLoadState('networkidle')
    expect([how, calls.filter(isRefresh)]).toEqual([how, []])
  }
})

test('a restart with other keys: named everywhere, and another key is entered by keyboard without a new sign-in', async ({
  workbench,
}) => {
  const { page, watch, sections } = workbench
  watch.allow(/Failed to load resource/, /WebSocket/, /ERR_/)
  const backend = await startRotatedBackend()
  await workbench.open()
  await page.getByRole('button', { name: 'Connect to another backend' }).click()
  const form = page.getByRole('form', { name: 'Connect to a backend' })
  await form.getByLabel('URL').fill(backend.url)
  await form.getByLabel('Publishable key').fill(backend.key())
  await form.getByRole('button', { name: 'Connect' }).click()
  const skipper = backend.accounts.find(({ email }) => email.startsWith('skipper@'))
  if (!skipper) throw new Error('The demo has no skipper')
  await workbench.submitSignIn(skipper)
  await sections.waitFor()
  await workbench.open('/data/vessels')
  const grid = page.getByRole('grid', { name: 'Rows of vessels' })
  // The backend does not list its tables, so this one is opened by its name.
  await grid.getByRole('row').nth(1).waitFor()

  await backend.rotate()
  const calls = requestsOf(page)
  const reloaded = performance.now()
  await page.reload()
  const banner = page.getByRole('region', { name: 'Backend status' })
  const main = page.getByRole('main')
  await banner.getByText(/This key is no longer accepted by/).waitFor()
  await page.getByRole('status', { name: 'Realtime: key rejected' }).waitFor()
  await main.getByText(/This key is no longer accepted by/).waitFor()
  expect(performance.now() - reloaded).toBeLessThan(5_000)
  const complaints: unknown[] = await axeInThemes(page, 'body')
  for (const section of ['Files', 'Functions', 'Realtime', 'Account', 'Connections']) {
    await sections.getByRole('link', { name: section, exact: true }).click()
    await page.getByRole('heading', { level: 1, name: section }).waitFor()
    const skeletons = main.getByRole('status', { name: /^Loading/ })
    await expect.poll(() => skeletons.count(), { timeout: 5_000 }).toBe(0)
    if (section === 'Files') await main.getByText('The backend does not accept this API key').waitFor()
    await banner.waitFor()
    complaints.push(...(await axeInThemes(page, 'main')))
  }

  // Opened at once, it asks whether the key is accepted.
  await page.reload()
  await main.getByText('Key rejected', { exact: true }).waitFor()
  // By keyboard only.
  const focused = () => page.evaluate(() => document.activeElement?.textContent)
  for (let n = 0; n < 40 && (await focused()) !== 'Enter another key'; n++) await page.keyboard.press('Tab')
  expect(await focused()).toBe('Enter another key')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  const field = dialog.getByRole('textbox', { name: 'Publishable key' })
  await expect.poll(() => field.evaluate(element => element === document.activeElement)).toBe(true)
  await page.keyboard.type('sb_secret_harbour_0123456789')
  await page.keyboard.press('Enter')
  await dialog.getByText(/This is a secret key/).waitFor()
  await field.fill('sb_publishable_wrong_1234567890')
  await page.keyboard.press('Enter')
  await dialog.getByText(/rejected this key/).waitFor()
  complaints.push(...(await axeInThemes(page, 'body')))
  await field.fill(backend.key())
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await banner.waitFor({ state: 'detached' })
  await main.getByText('in use', { exact: true }).waitFor()
  await workbench.open('/data/vessels')
  await grid.getByRole('row').nth(1).waitFor()
  expect(calls.filter(isRefresh)).toEqual([])
  expect(complaints).toEqual([])
})
