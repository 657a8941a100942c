// Answers that are late, refused or never come, sessions that go: nothing is lost and nothing fails unsaid.
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import type { Fault } from '../../backend/faults/index.ts'
import { withHarbour } from '../harness/browser.ts'
import type { Credentials, WorkbenchPage } from '../harness/workbench-page.ts'

const test = withHarbour()

/** What Chromium itself reports when a request fails or is refused. */
const NETWORK = [/Failed to load resource/, /ERR_/]

const REST = '**/rest/v1/vessels*'

test('rows stay on screen through every failed attempt to load them anew', async ({ harbour, workbench }) => {
  const { page, rows, watch } = workbench
  watch.allow(...NETWORK)
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
})

test('a page whose code can’t be fetched says so and comes by itself later', async ({
  harbour,
  workbench,
}) => {
  const { page, watch } = workbench
  watch.allow(...NETWORK)
  await workbench.openAs(harbour.account('skipper'))
  await page.route('**/assets/files-page*', route => route.abort())
  await workbench.sections.getByRole('link', { name: 'Files' }).click()
  await page.getByText('This page could not be loaded').waitFor()
  expect(await workbench.sections.isVisible()).toBe(true)
  await page.unroute('**/assets/files-page*')
  await page.getByRole('link', { name: 'charts' }).waitFor()
  const line = await page
    .getByRole('link', { name: 'charts' })
    .evaluate(link => getComputedStyle(link).textDecorationLine)
  expect(line, 'its style came along').toBe('none')
})

describe('a refused renewal of the token', () => {
  const plan = async (page: Page, url: string, fault: Fault) => {
    const data = { faults: [{ when: { path: '/auth/v1/token', method: 'POST' }, times: 1, ...fault }] }
    expect((await page.request.put(`${url}/_chartroom/faults`, { data })).status()).toBe(200)
  }

  test('is no silence of the backend, and passes', async ({ harbour, workbench }) => {
    const { page, watch } = workbench
    watch.allow(...NETWORK)
    await workbench.openAs(harbour.account('skipper'), '/account')
    await plan(page, harbour.url, { do: { code: 'over_request_rate_limit', retryAfter: 1 } })
    await page.getByRole('button', { name: 'Refresh now' }).click()
    const banner = page.getByText(/did not renew your access token/)
    await banner.waitFor()
    await page.getByText('Too many attempts. Try again in 1 s.').waitFor()
    await banner.waitFor({ state: 'detached' })
  })

  test('that ends the session is told once, with its reason', async ({ harbour, workbench }) => {
    const { page, watch } = workbench
    watch.allow(...NETWORK)
    await workbench.openAs(harbour.account('mate'), '/account')
    await plan(page, harbour.url, { do: { session: 'reused' } })
    await page.getByRole('button', { name: 'Refresh now' }).click()
    await page.getByText('its refresh token had been used twice').waitFor()
    await workbench.submitSignIn(harbour.account('mate'))
    await workbench.sections.waitFor()
    expect(await page.getByText('The token could not be renewed').count()).toBe(0)
  })
})

describe('creating an account', () => {
  test('a mailed link is waited for, and the way back to signing in works', async ({ workbench }) => {
    const { page } = workbench
    await page.route('**/auth/v1/signup*', route =>
      route.fulfill({
        json: { id: '8c2b1d4e-0000-4000-8000-000000000001', aud: 'authenticated', email: 'new@harbour.test' },
      }),
    )
    await workbench.open()
    await page.getByRole('button', { name: 'Create an account' }).click()
    const form = page.getByRole('form', { name: 'Sign up' })
    await form.getByLabel('Email').fill('new@harbour.test')
    await form.getByLabel('Password', { exact: true }).fill('long enough')
    await form.getByRole('button', { name: 'Create account' }).click()
    await page.getByText(/A link was mailed to new@harbour.test/).waitFor()
    await page.getByRole('button', { name: 'Sign in' }).click()
    expect(await workbench.signInForm.getByLabel('Email').inputValue()).toBe('new@harbour.test')
  })

  test('a failure of signing in is not held against the new account', async ({ harbour, workbench }) => {
    const { page, watch } = workbench
    watch.allow(...NETWORK)
    await workbench.open()
    await workbench.submitSignIn({ ...harbour.account('mate'), password: 'wrong' })
    await workbench.signInForm.getByRole('alert').waitFor()
    await page.getByRole('button', { name: 'Create an account' }).click()
    await page.getByRole('form', { name: 'Sign up' }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })
})

describe('a row form', () => {
  test('that was closed before the answer came: the refusal is told, another form stays open', async ({
    harbour,
    workbench,
  }) => {
    const { page, watch } = workbench
    watch.allow(...NETWORK)
    await workbench.openAs(harbour.account('skipper'), '/data/vessels')
    await workbench.rows.first().waitFor()
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    await page.route(REST, async route => {
      if (route.request().method() !== 'POST') return route.continue()
      await answered
      await route.fulfill({ status: 400, json: { code: 'P0001', message: 'Too many vessels.' } })
    })
    await page.getByRole('button', { name: 'New row', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(/^name\b/).fill('Late')
    await dialog.getByRole('button', { name: 'Add row' }).click()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'New row', exact: true }).click()
    await dialog.waitFor()
    answer()
    await page.getByText('Too many vessels.').waitFor()
    expect(await dialog.isVisible()).toBe(true)
  })

  test('keeps what was typed when one clicks beside it', async ({ harbour, workbench }) => {
    const { page } = workbench
    await workbench.openAs(harbour.account('skipper'), '/data/vessels')
    await page.getByRole('button', { name: 'New row', exact: true }).click()
    const name = page.getByRole('dialog').getByLabel(/^name\b/)
    await name.fill('Fulmar II')
    await page.mouse.click(5, 5)
    expect(await name.inputValue()).toBe('Fulmar II')
  })
})

describe('work in hand', () => {
  const fault = async (page: Page, url: string, ...faults: readonly Fault[]) => {
    const answer = await page.request.put(`${url}/_chartroom/faults`, { data: { faults } })
    expect(answer.status()).toBe(200)
  }
  const silence = (when: NonNullable<Fault['when']>): Fault => ({ when, do: { lost: 'request' } })

  /** How often a fault hit. */
  const hitsOf = async (page: Page, url: string, id: string): Promise<number> => {
    const answer = await page.request.get(`${url}/_chartroom/faults`)
    const { hits } = (await answer.json()) as { readonly hits: readonly { readonly fault: string }[] }
    return hits.filter(hit => hit.fault === id).length
  }

  /** The session goes from under the page, and its user signs in again. */
  const loseSession = async (workbench: WorkbenchPage, url: string, account: Credentials) => {
    const { page } = workbench
    await page.evaluate(key => {
      localStorage.removeItem(key)
      dispatchEvent(new StorageEvent('storage', { key, newValue: null, storageArea: localStorage }))
    }, `chartroom.session.${url}`)
    await workbench.submitSignIn(account)
    await workbench.sections.waitFor()
  }

  test('cells and imports: a silent backend and a lost session lose nothing', async ({
    harbour,
    workbench,
  }) => {
    const { page, watch } = workbench
    watch.allow(...NETWORK)
    const { url } = harbour
    await workbench.openAs(harbour.account('skipper'), '/data/log_entries')
    await workbench.liveMark.waitFor()
    const grid = page.getByRole('grid', { name: 'Rows of log_entries' })
    const notSaved = page.getByRole('region', { name: 'Not saved' })
    const typeInto = async (words: string) => {
      await grid.focus()
      for (const key of ['ControlOrMeta+Home', 'ArrowRight', 'ArrowRight', 'ArrowRight'])
        await page.keyboard.press(key)
      await page.keyboard.type(words)
    }

    // Nobody answers: it waits, also while another page is open, and is saved by itself.
    await fault(page, url, silence({ family: 'rest', method: 'PATCH' }))
    await typeInto('Zephyr 4')
    await page.keyboard.press('Enter')
    await notSaved.getByText('The backend does not answer.').waitFor()
    await workbench.goTo('Functions')
    await fault(page, url)
    await page.goBack()
    await notSaved.waitFor({ state: 'detached' })
    await workbench.row('Zephyr 4').waitFor()

    // The session goes while somebody types.
    await typeInto('Zephyr 7')
    await loseSession(workbench, url, harbour.account('skipper'))
    await notSaved.getByText('This was being typed when the page was left.').waitFor()
    await notSaved.getByRole('button', { name: 'Save again' }).click()
    await notSaved.waitFor({ state: 'detached' })
    await workbench.row('Zephyr 7').waitFor()

    // An import after its first 500 rows; whoever comes next finds nothing of it.
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    const dialog = page.getByRole('dialog')
    const rows = Array.from({ length: 1_100 }, (_, n) => `entry ${n + 1}`)
    await dialog.getByLabel('Or paste rows').fill(`note\n${rows.join('\n')}\n`)
    await dialog.getByRole('button', { name: 'Read the pasted rows' }).click()
    await fault(page, url, { when: { family: 'rest', method: 'POST', from: 2 }, do: { hold: 'request' } })
    await dialog.getByRole('button', { name: 'Import 1,100 rows' }).click()
    await dialog.getByText('500 of 1,100 rows').waitFor()
    await loseSession(workbench, url, harbour.account('mate'))
    await page.getByRole('button', { name: 'Import', exact: true }).waitFor()
    await loseSession(workbench, url, harbour.account('skipper'))
    await fault(page, url)
    await page.getByRole('button', { name: 'Import 45 %' }).click()
    await dialog.getByText(/500 rows may be in the table, or not/).waitFor()
    await dialog.getByRole('button', { name: 'Send them again' }).click()
    await dialog.getByText('All 1,100 rows are in the table').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await workbench.row('entry 1100').waitFor()
  })

  test('an upload goes on where it was, a second factor can be set up after all', async ({
    harbour,
    workbench,
  }) => {
    const { page, watch } = workbench
    watch.allow(...NETWORK)
    const { url } = harbour
    await workbench.openAs(harbour.account('skipper'), '/files/charts')
    await page.getByRole('link', { name: 'My folder' }).click()
    await page.getByRole('grid', { name: 'Files in charts' }).waitFor()
    const uploads = page.getByRole('region', { name: 'Uploads' })
    const part = { family: 'storage', method: 'PATCH' } as const
    await fault(page, url, { id: 'third', when: { ...part, from: 3 }, do: { hold: 'request' } })
    await page
      .locator('input[type=file]')
      .last()
      .setInputFiles({
        name: 'soundings.bin',
        mimeType: 'application/octet-stream',
        buffer: Buffer.alloc(15e6, 5),
      })
    await expect.poll(() => hitsOf(page, url, 'third')).toBe(1)
    await loseSession(workbench, url, harbour.account('mate'))
    await page.getByText('charts').first().waitFor()
    expect(await uploads.count()).toBe(0)
    await fault(page, url, { id: 'parts', when: part, do: { delay: 1 } })
    await loseSession(workbench, url, harbour.account('skipper'))
    await uploads.getByText('1 of 1 uploaded').waitFor()
    // The last part alone was still to be sent.
    expect(await hitsOf(page, url, 'parts')).toBe(1)

    // The answer is lost after the factor was made.
    await workbench.goTo('Account')
    await page.getByRole('tab', { name: 'Security' }).click()
    await fault(page, url, {
      when: { path: '/auth/v1/factors', method: 'POST' },
      times: 1,
      do: { lost: 'response' },
    })
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
    const form = page.getByRole('form', { name: 'New authenticator app' })
    await form.getByLabel('Name').fill('My phone')
    await form.getByRole('button', { name: 'Go on' }).click()
    await form
      .getByRole('alert')
      .or(page.getByRole('form', { name: 'First code' }))
      .first()
      .waitFor()
    if (await form.isVisible()) await form.getByRole('button', { name: 'Go on' }).click()
    await page.getByRole('form', { name: 'First code' }).waitFor()
  })
})
