// Responses that are late, rejected or missing, and lost sessions: nothing is lost and nothing fails
// silently.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import type { Fault } from '../../backend/faults/index.ts'
import { withHarbour } from '../harness/browser.ts'
import { moveableClock } from '../harness/tab-pages.ts'
import type { Credentials, WorkbenchPage } from '../harness/workbench-page.ts'

const test = withHarbour()

/** What Chromium itself reports when a request fails or is rejected. */
const NETWORK = [/Failed to load resource/, /ERR_/]

const REST = '**/rest/v1/vessels*'

/** From now on the backend fails like this, and in no other way. */
async function fault(page: Page, url: string, ...faults: readonly Fault[]): Promise<void> {
  const answer = await page.request.put(`${url}/_chartroom/faults`, { data: { faults } })
  expect(answer.status()).toBe(200)
}

/** How often a fault hit. */
async function hitsOf(page: Page, url: string, id: string): Promise<number> {
  const answer = await page.request.get(`${url}/_chartroom/faults`)
  const { hits } = (await answer.json()) as { readonly hits: readonly { readonly fault: string }[] }
  return hits.filter(hit => hit.fault === id).length
}

/** The session is removed while the page is open, and a user signs in. */
async function loseSession(workbench: WorkbenchPage, url: string, account: Credentials): Promise<void> {
  const { page } = workbench
  await page.evaluate(key => {
    localStorage.removeItem(key)
    dispatchEvent(new StorageEvent('storage', { key, newValue: null, storageArea: localStorage }))
  }, `chartroom.session.${url}`)
  await workbench.submitSignIn(account)
  await workbench.sections.waitFor()
}

/** Into the first row's cell, which stays open. */
async function typeIntoWind(page: Page, text: string): Promise<void> {
  await page.getByRole('grid', { name: 'Rows of log_entries' }).focus()
  for (const key of ['ControlOrMeta+Home', 'ArrowRight', 'ArrowRight', 'ArrowRight'])
    await page.keyboard.press(key)
  await page.keyboard.type(text)
}

/** The current access token. */
const bearerOf = (page: Page, url: string): Promise<string> =>
  page.evaluate(key => {
    const { access_token } = JSON.parse(localStorage.getItem(key) ?? '{}') as { access_token: string }
    return access_token
  }, `chartroom.session.${url}`)

/** Of a file that is sent in two parts, the second of them smaller. */
async function upload(page: Page, name: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'chartroom-upload-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  // From the disk, since the page would take seconds to decode a buffer.
  await writeFile(join(folder, name), Buffer.alloc(9e6, 5))
  await page.locator('input[type=file]').last().setInputFiles(join(folder, name))
}
const PART = { family: 'storage', method: 'PATCH' } as const

/** The next refresh. */
const REFRESH = { when: { path: '/auth/v1/token', method: 'POST' }, times: 1 } as const

test('a failed reload keeps the rows, a page whose code is missing loads later, and a rejected refresh passes', async ({
  harbour,
  workbench,
}) => {
  const { page, rows, watch } = workbench
  const { url } = harbour
  watch.allow(...NETWORK)
  await page.route('**/assets/files-page*', route => route.abort())
  await workbench.openAs(harbour.account('skipper'), '/data/vessels')
  await workbench.liveMark.waitFor()
  const before = await rows.allInnerTexts()
  let refused = 0
  await page.route(REST, route => {
    refused += 1
    return route.fulfill({ status: 400, json: { code: 'P0001', message: 'Not now.' } })
  })
  await page.getByRole('columnheader', { name: 'name' }).click()
  await expect.poll(() => refused).toBe(1)
  await page.getByText('Not now.').waitFor()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => refused).toBe(2)
  expect(await rows.allInnerTexts()).toEqual(before)
  await page.unroute(REST)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('Not now.').waitFor({ state: 'detached' })
  expect((await rows.allInnerTexts()).toSorted()).toEqual(before.toSorted())

  await workbench.sections.getByRole('link', { name: 'Files' }).click()
  await page.getByText('This page could not be loaded').waitFor()
  expect(await workbench.sections.isVisible()).toBe(true)
  await page.unroute('**/assets/files-page*')
  await page.getByRole('link', { name: 'charts' }).waitFor()
  const line = await page
    .getByRole('link', { name: 'charts' })
    .evaluate(link => getComputedStyle(link).textDecorationLine)
  expect(line, 'its style was loaded, too').toBe('none')

  // It is not shown as an unreachable backend.
  await workbench.goTo('Account')
  await fault(page, url, { ...REFRESH, do: { code: 'over_request_rate_limit', retryAfter: 1 } })
  await page.getByRole('button', { name: 'Refresh now' }).click()
  const banner = page.getByText(/did not refresh your access token/)
  await banner.waitFor()
  await page.getByText('Too many attempts. Try again in 1 s.').waitFor()
  await banner.waitFor({ state: 'detached' })
})

test('a rejected refresh that ends the session is reported once, with its reason', async ({
  harbour,
  workbench,
}) => {
  const { page, watch } = workbench
  watch.allow(...NETWORK)
  await workbench.openAs(harbour.account('mate'), '/account')
  await fault(page, harbour.url, { ...REFRESH, do: { session: 'reused' } })
  await page.getByRole('button', { name: 'Refresh now' }).click()
  await page.getByText('its refresh token was used twice').waitFor()
  await workbench.submitSignIn(harbour.account('mate'))
  await workbench.sections.waitFor()
  expect(await page.getByText('Could not refresh the token').count()).toBe(0)
})

test('an unreachable backend and a lost session lose no cell, no import and no upload', async ({
  harbour,
  workbench,
}) => {
  const { page, watch } = workbench
  const { url } = harbour
  watch.allow(...NETWORK)
  const [skipper, mate] = [harbour.account('skipper'), harbour.account('mate')]
  const uploads = page.getByRole('region', { name: 'Uploads' })
  const notSaved = page.getByRole('region', { name: 'Unsaved changes' })
  const dialog = page.getByRole('dialog')
  const hold = { do: { hold: 'request' } } as const
  await workbench.openAs(skipper, '/files/charts')
  await page.getByRole('link', { name: 'My files' }).click()
  await page.getByRole('grid', { name: 'Files in charts' }).waitFor()
  await fault(
    page,
    url,
    { id: 'last', when: { ...PART, from: 2 }, ...hold },
    { when: { family: 'rest', method: 'PATCH' }, do: { lost: 'request' } },
  )
  await upload(page, 'soundings.bin')
  await expect.poll(() => hitsOf(page, url, 'last')).toBe(1)

  // No response: the edit waits, also on another page, and is then saved automatically.
  await workbench.goTo('Data')
  await page.getByRole('link', { name: 'log_entries' }).click()
  await workbench.liveMark.waitFor()
  await typeIntoWind(page, 'Zephyr 4')
  await page.keyboard.press('Enter')
  await notSaved.getByText('The backend is not responding.').waitFor()
  await workbench.goTo('Functions')
  await fault(
    page,
    url,
    { when: PART, ...hold },
    { when: { family: 'rest', method: 'POST', from: 2 }, ...hold },
  )
  await page.goBack()
  await notSaved.waitFor({ state: 'detached' })
  await workbench.row('Zephyr 4').waitFor()

  // The session ends after the first 500 rows of an import, and while the user types.
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  const rows = Array.from({ length: 501 }, (_, n) => `entry ${n + 1}`)
  await dialog.getByLabel('Or paste rows').fill(`note\n${rows.join('\n')}\n`)
  await dialog.getByRole('button', { name: 'Read pasted rows' }).click()
  // What was read and checked is still there after a sign-in.
  await dialog.getByRole('button', { name: 'Import 501 rows' }).waitFor()
  await loseSession(workbench, url, skipper)
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await dialog.getByRole('button', { name: 'Import 501 rows' }).click()
  await dialog.getByText('500 of 501 rows').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await typeIntoWind(page, 'Zephyr 7')
  await loseSession(workbench, url, mate)
  // The next user sees nothing of it.
  await page.getByRole('button', { name: 'Import', exact: true }).waitFor()
  expect(await notSaved.count()).toBe(0)
  await workbench.goTo('Files')
  await page.getByRole('link', { name: 'charts' }).waitFor()
  expect(await uploads.count()).toBe(0)
  await fault(page, url, { id: 'parts', when: PART, do: { delay: 1 } })
  await loseSession(workbench, url, skipper)

  await uploads.getByText('1 of 1 file').waitFor()
  // Only the last part was still to be sent.
  expect(await hitsOf(page, url, 'parts')).toBe(1)
  await workbench.goTo('Data')
  await page.getByRole('link', { name: 'log_entries' }).click()
  await notSaved.getByText('You left the page while typing this.').waitFor()
  await notSaved.getByRole('button', { name: 'Retry' }).click()
  await notSaved.waitFor({ state: 'detached' })
  await workbench.row('Zephyr 7').waitFor()
  await page.getByRole('button', { name: 'Import 99 %' }).click()
  await dialog.getByText(/1 row may or may not be in the table/).waitFor()
  await dialog.getByRole('button', { name: 'Send again' }).click()
  await dialog.getByText('All 501 rows imported').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await workbench.row('entry 501').first().waitFor()
})

test("after a sleep past the token's expiry a cell, an upload and a topic continue", async ({
  harbour,
  workbench,
}) => {
  const { page, watch } = workbench
  watch.allow(...NETWORK)
  const { url } = harbour
  const clock = await page.addInitScript(moveableClock)
  await workbench.openAs(harbour.account('skipper'), '/realtime/bridge')
  await clock.dispose()
  await workbench.present('skipper').waitFor()
  await page.getByRole('textbox', { name: 'Message' }).fill('Half a message')
  await workbench.goTo('Files')
  await page.getByRole('link', { name: 'charts' }).click()
  await page.getByRole('link', { name: 'My files' }).click()
  await page.getByRole('grid', { name: 'Files in charts' }).waitFor()
  await fault(page, url, { id: 'last', when: { ...PART, from: 2 }, do: { lost: 'request' } })
  await upload(page, 'tides.bin')
  await expect.poll(() => hitsOf(page, url, 'last')).toBeGreaterThan(0)
  await workbench.goTo('Data')
  await page.getByRole('link', { name: 'log_entries' }).click()
  await workbench.liveMark.waitFor()
  await typeIntoWind(page, 'Dream 3')

  const spent: number[] = []
  const expired: string[] = []
  await page.evaluate(() => document.dispatchEvent(new Event('freeze')))
  await page.context().setOffline(true)
  await fault(page, url, { when: { event: 'open' }, do: { close: 'abrupt' } })
  await expect.poll(() => workbench.connection.innerText()).toMatch(/offline/)
  const before = await bearerOf(page, url)
  await page.evaluate(() => (window.ahead += 7_200_000))
  await fault(page, url, { id: 'after', when: PART, do: { delay: 1 } })
  page.on('request', request => {
    if (request.headers()['authorization'] === `Bearer ${before}`)
      expired.push(`${request.method()} ${request.url()}`)
  })
  page.on('response', response => {
    if (response.url().includes('grant_type=refresh_token')) spent.push(response.status())
  })
  await page.context().setOffline(false)
  await page.evaluate(() => document.dispatchEvent(new Event('resume')))

  await workbench.liveMark.waitFor()
  expect(await page.getByRole('textbox', { name: 'wind' }).inputValue()).toBe('Dream 3')
  await page.keyboard.press('Enter')
  await workbench.row('Dream 3').waitFor()
  await workbench.goTo('Files')
  await page.getByRole('region', { name: 'Uploads' }).getByText('1 of 1 file').waitFor()
  expect(await hitsOf(page, url, 'after')).toBe(1)
  await workbench.goTo('Realtime')
  await workbench.present('skipper').waitFor()
  await page.getByRole('textbox', { name: 'Message' }).press('Enter')
  await workbench.message('Half a message').waitFor()
  // One refresh in total, and no request used the expired token.
  expect(spent).toEqual([200])
  expect(expired).toEqual([])
})
