// The inbox page in a real browser: its shortcuts, and emails that arrive while it is open.
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { beforeEach, expect } from 'vitest'
import { withHarbour } from '../harness/browser.ts'
import { watchPage } from '../harness/page-watch.ts'

const test = withHarbour()

const sizes = { wide: { width: 1280, height: 800 }, narrow: { width: 320, height: 640 } } as const

const openInbox = async (browser: Browser, url: string, options: BrowserContextOptions = {}) => {
  const context = await browser.newContext({
    permissions: ['clipboard-read', 'clipboard-write'],
    viewport: sizes.wide,
    ...options,
  })
  const page = await context.newPage()
  const watch = watchPage(page)
  await page.goto(`${url}/_chartroom/inbox`)
  return { page, watch, rows: page.getByRole('navigation', { name: 'Emails' }).getByRole('link') }
}

/** Requests a sign-in link, as an app does. */
const askForLink = async (url: string, email: string) => {
  const { key } = (await (await fetch(`${url}/_chartroom/config`)).json()) as { key: string }
  const response = await fetch(`${url}/auth/v1/otp`, {
    method: 'POST',
    headers: { apikey: key },
    body: JSON.stringify({ email }),
  })
  expect(response.status).toBe(200)
}

beforeEach(async ({ harbour }: { harbour: { url: string } }) => {
  await fetch(`${harbour.url}/_chartroom/inbox`, { method: 'DELETE' })
})

test('a new email appears at once, is announced, and its code and link work', async ({
  harbour,
  browser,
}) => {
  const { page, rows, watch } = await openInbox(browser, harbour.url)
  await askForLink(harbour.url, 'skipper@harbour.test')
  await expect
    .poll(() => page.getByRole('status').textContent())
    .toBe('New email to skipper@harbour.test: Sign in')
  await expect.poll(() => rows.count()).toBe(1)
  const code = await page.locator('code.otp').textContent()
  await page.getByRole('button', { name: 'Copy code' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code)
  expect(code).toMatch(/^\d{6}$/)

  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: 'Open link' }).click(),
  ])
  await tab.waitForURL(`${harbour.url}/**`)
  await page.getByRole('link', { name: 'Open link' }).waitFor()
  expect(watch.problems()).toEqual([])
  await page.context().close()
})

test("times are in the browser's zone, in the list and in the email", async ({ harbour, browser }) => {
  await askForLink(harbour.url, 'traveller@harbour.test')
  const shown = async (timezoneId: string) => {
    const { page, rows } = await openInbox(browser, harbour.url, { timezoneId })
    await rows.first().waitFor()
    const times = page.locator('time')
    const texts = await times.allTextContents()
    const sentAt = await times.first().getAttribute('datetime')
    await page.context().close()
    return { texts, sentAt }
  }
  const { texts, sentAt } = await shown('Asia/Kathmandu')
  const sent = new Date(sentAt ?? '')
  const options = { timeZone: 'Asia/Kathmandu' }
  expect(texts).toEqual([sent.toLocaleTimeString('sv-SE', options), sent.toLocaleString('sv-SE', options)])
  expect((await shown('UTC')).texts).not.toEqual(texts)
})

test('the open email stays while others arrive', async ({ harbour, browser }) => {
  const { page, rows } = await openInbox(browser, harbour.url)
  await askForLink(harbour.url, 'mate@harbour.test')
  await rows.first().click()
  await page.getByText('Use in tests').click()
  await askForLink(harbour.url, 'somebody@harbour.test')
  await expect.poll(() => rows.count()).toBe(2)
  expect(await page.getByRole('definition').first().textContent()).toBe('mate@harbour.test')
  expect(await page.getByText('token_hash').isVisible()).toBe(true)
  expect(await rows.nth(1).getAttribute('aria-current')).toBe('true')
  await page.context().close()
})

test('by keyboard alone: down the list, into an email, back, and delete all', async ({
  harbour,
  browser,
}) => {
  for (const name of ['one', 'two', 'three']) await askForLink(harbour.url, `${name}@harbour.test`)
  const { page, rows } = await openInbox(browser, harbour.url, { viewport: sizes.narrow })
  const focused = () => page.evaluate(() => document.activeElement?.textContent?.replace(/\s+/g, ' ').trim())
  await rows.first().focus()
  for (const [key, who] of [
    ['ArrowDown', 'two'],
    ['End', 'one'],
    ['Home', 'three'],
    ['ArrowDown', 'two'],
  ] as const) {
    await page.keyboard.press(key)
    expect(await focused()).toContain(`${who}@harbour.test`)
  }
  await page.keyboard.press('Enter')
  await page.waitForURL('**?message=*')
  await expect.poll(focused).toContain('To two@harbour.test')
  await page.getByRole('link', { name: 'All emails' }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(focused).toContain('three@harbour.test')
  await page.getByRole('button', { name: 'Clear' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'No email yet' }).waitFor()
  await page.context().close()
})

test('an unreachable backend is shown, and found again', async ({ harbour, browser }) => {
  const { page, watch } = await openInbox(browser, harbour.url)
  await page.getByText('live', { exact: true }).waitFor()
  watch.allow(/ERR_CONNECTION_REFUSED|Failed to load resource/)
  await harbour.stop()
  await page.getByText('backend unreachable').waitFor()
  await harbour.start()
  await page.getByText('live', { exact: true }).waitFor()
  await askForLink(harbour.url, 'again@harbour.test')
  await page.getByRole('link', { name: 'again@harbour.test' }).waitFor()
  expect(watch.problems()).toEqual([])
  await page.context().close()
})
