// The page of the simulated provider in a real browser: its shortcuts, and the way there and back.
import { createServer } from 'node:http'
import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import { withHarbour } from '../harness/browser.ts'
import { atFileEnd } from '../harness/endings.ts'

const test = withHarbour().extend('app', { scope: 'file' }, async () => {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>App</title>')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  atFileEnd(() => void server.close())
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/welcome`
})

/** The provider's page, opened as an app opens it. */
const openProvider = async (browser: Browser, start: Start) => {
  const page = await (await browser.newContext()).newPage()
  const query = new URLSearchParams({ provider: 'google', scopes: 'email,profile', redirect_to: start.app })
  await page.goto(`${start.harbour.url}/auth/v1/authorize?${query}`)
  return page
}

interface Start {
  readonly harbour: { readonly url: string }
  readonly app: string
}

const backAt = async (app: string, page: Page) => {
  await page.waitForURL(url => url.href.startsWith(app))
  const { search, hash } = new URL(page.url())
  return Object.fromEntries([...new URLSearchParams(search), ...new URLSearchParams(hash.slice(1))])
}

const claimsOf = (token: string | undefined): unknown =>
  JSON.parse(Buffer.from(token?.split('.')[1] ?? '', 'base64url').toString())

test('a demo user signs in with one click', async ({ harbour, app, browser }) => {
  const page = await openProvider(browser, { harbour, app })
  await page.getByRole('button', { name: 'skipper@harbour.test' }).click()
  const params = await backAt(app, page)
  expect(claimsOf(params['access_token'])).toMatchObject({
    email: 'skipper@harbour.test',
    app_metadata: { providers: ['email', 'google'] },
  })
  await page.context().close()
})

test('by keyboard alone: an address, a name, Enter', async ({ harbour, app, browser }) => {
  const page = await openProvider(browser, { harbour, app })
  for (let n = 0; n < 4; n++) await page.keyboard.press('Tab')
  await page.keyboard.type('harbourmaster@harbour.test')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Hanne Master')
  await page.keyboard.press('Enter')
  const params = await backAt(app, page)
  expect(claimsOf(params['access_token'])).toMatchObject({
    email: 'harbourmaster@harbour.test',
    user_metadata: { full_name: 'Hanne Master', email_verified: true },
  })
  await page.context().close()
})

test('canceling redirects back with the reason', async ({ harbour, app, browser }) => {
  const page = await openProvider(browser, { harbour, app })
  await page.getByRole('button', { name: 'Cancel' }).click()
  expect(await backAt(app, page)).toEqual({
    error: 'access_denied',
    error_description: 'The user canceled the sign-in',
    sb: '',
  })
  await page.context().close()
})
