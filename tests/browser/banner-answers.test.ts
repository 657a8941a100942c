// What a banner says about its reason is what the console says about the same step.
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { withHarbour } from '../harness/browser.ts'

const test = withHarbour({ data: 'disk', tokenSeconds: 30 })

test.afterEach(({ harbour }) => harbour.start())

/** What Chromium itself reports when a request fails or is rejected. */
const NETWORK = [/Failed to load resource/, /WebSocket connection/, /ERR_/]

const fails = (url: string | RegExp, status: number, json: object) => (page: Page) =>
  page.route(url, route =>
    route.fulfill({
      status,
      json,
      headers: { 'access-control-allow-origin': '*', 'access-control-expose-headers': '*' },
    }),
  )

/** Calls of the page, and the check whether the backend is in order. */
const CALLS = /\/rest\/v1\/|\/auth\/v1\/settings/
const REFRESHES = /\/auth\/v1\/token\?/

const CASES: readonly [text: RegExp, reason: RegExp, break_: (page: Page) => Promise<unknown>][] = [
  [/responds with errors \(502\)/, /GET .* because .*\(502\)/, fails(CALLS, 502, {})],
  [/is under maintenance/, /GET .* because .*\(503\)/, fails(CALLS, 503, {})],
  [/Can’t reach/, /GET .* because .*could not be reached/, page => page.route(CALLS, route => route.abort())],
  [
    /did not refresh your access token|access token has expired/,
    /because the auth server .*\(500\)/,
    fails(REFRESHES, 500, {}),
  ],
]

for (const [text, reason, breakBackend] of CASES)
  test(`the banner ${text.source} has the answer of the console`, async ({ harbour, workbench }) => {
    const { page } = workbench
    workbench.watch.allow(...NETWORK)
    await workbench.openAs(harbour.account('skipper'), '/data/vessels')
    await workbench.rows.first().waitFor()
    await breakBackend(page)
    await page.getByRole('button', { name: 'Refresh rows' }).click()
    const banner = page.getByRole('region', { name: 'Backend status' })
    await banner.getByText(text).waitFor({ timeout: 45_000 })
    await expect.poll(() => banner.innerText(), { timeout: 20_000 }).toMatch(reason)
    await banner.getByRole('button', { name: /^Why\?/ }).click()
    const cause = workbench.console.getByRole('tabpanel', { name: 'Cause' })
    await expect.poll(() => cause.locator('strong').first().innerText()).toMatch(reason)
  })

test('the sign-in page has the answer of the console', async ({ harbour, workbench }) => {
  const { page } = workbench
  workbench.watch.allow(...NETWORK)
  await workbench.openAs(harbour.account('skipper'), '/data/vessels')
  await workbench.rows.first().waitFor()
  const code = 'refresh_token_already_used'
  await fails(REFRESHES, 400, { code, message: 'Invalid Refresh Token: Already Used' })(page)
  await workbench.signInForm.waitFor({ timeout: 45_000 })
  const sentence = /^You were signed out because the server refused the refresh token, which was used already/
  await page.getByText(sentence).waitFor()
  await page.getByRole('button', { name: /^Why\?/ }).click()
  const cause = workbench.console.getByRole('tabpanel', { name: 'Cause' })
  await expect.poll(() => cause.locator('strong').first().innerText()).toMatch(sentence)
})

test('a refused edit has the answer of the console', async ({ harbour, workbench }) => {
  const { page } = workbench
  workbench.watch.allow(...NETWORK)
  await workbench.openAs(harbour.account('skipper'), '/data/log_entries')
  await workbench.rows.first().waitFor()
  await page.route(/\/rest\/v1\/log_entries/, route =>
    route.request().method() === 'PATCH'
      ? route.fulfill({
          status: 403,
          json: { code: '42501', message: 'permission denied for table log_entries' },
          headers: { 'access-control-allow-origin': '*', 'access-control-expose-headers': '*' },
        })
      : route.continue(),
  )
  await page.getByRole('grid', { name: 'Rows of log_entries' }).focus()
  for (const key of ['ControlOrMeta+Home', 'ArrowRight', 'ArrowRight', 'ArrowRight', '7', 'Enter'])
    await page.keyboard.press(key)
  await page.getByRole('button', { name: /^Why\?/ }).click()
  const cause = workbench.console.getByRole('tabpanel', { name: 'Cause' })
  await expect
    .poll(() => cause.locator('strong').first().innerText())
    .toMatch(/^PATCH .* was refused because/)
})
