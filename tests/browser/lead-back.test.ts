// Links and providers lead back into the workbench: signed in, told why not, and no secret left in the address.
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { axeComplaints } from '../harness/axe.ts'
import { withHarbour } from '../harness/browser.ts'
import { cutOrComplained, inEveryLook } from '../harness/looks.ts'

const test = withHarbour()

const sizes = { wide: { width: 1280, height: 800 }, narrow: { width: 390, height: 844 } } as const

/** Asks for a mail as an app does, and gives the link in it. */
async function linkTo(url: string, kind: 'recover' | 'otp', email: string): Promise<string> {
  const { key } = (await (await fetch(`${url}/_chartroom/config`)).json()) as { key: string }
  const { status } = await fetch(
    `${url}/auth/v1/${kind}?redirect_to=${encodeURIComponent(`${url}/account`)}`,
    {
      method: 'POST',
      headers: { apikey: key },
      body: JSON.stringify({ email }),
    },
  )
  expect(status).toBe(200)
  const inbox = await fetch(`${url}/_chartroom/inbox.json?to=${encodeURIComponent(email)}`)
  const { messages } = (await inbox.json()) as { messages: readonly { link: string }[] }
  return messages[0]?.link ?? ''
}

const newPassword = (page: Page) => page.getByRole('form', { name: 'New password' })
const isClean = async (page: Page, path: string) => {
  await page.waitForURL(url => url.pathname === path && url.hash === '' && url.search === '')
  const kept = await page.evaluate(() => location.href + JSON.stringify(history.state))
  expect(kept).not.toMatch(/token|code=/)
}

describe('the link for a forgotten password', () => {
  test('asks for a new one; axe finds nothing, light and dark, wide and narrow', async ({
    harbour,
    workbench,
  }) => {
    const email = 'lost@harbour.test'
    await signUp(harbour.url, email)
    const { page } = workbench
    const complaints = () => inEveryLook(page, sizes, () => cutOrComplained(page))
    await page.goto(await linkTo(harbour.url, 'recover', email))
    await newPassword(page).waitFor()
    await isClean(page, '/account')
    expect(await complaints()).toEqual([])
    const field = newPassword(page).getByLabel('New password', { exact: true })
    await field.fill('abc')
    await page.keyboard.press('Enter')
    await newPassword(page).getByText('A password has at least 6 characters.').waitFor()
    expect(await complaints()).toEqual([])
    await field.fill('a new harbour')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor()
    expect(await signInWith(harbour.url, email, 'a new harbour')).toBe(200)
  })

  test('a second use is told on the sign-in page', async ({ harbour, openWorkbench }) => {
    const email = 'twice@harbour.test'
    await signUp(harbour.url, email)
    const link = await linkTo(harbour.url, 'recover', email)
    await fetch(link, { redirect: 'manual' })
    const workbench = await openWorkbench()
    await workbench.page.goto(link)
    await workbench.signInForm.waitFor()
    await workbench.page
      .getByRole('alert')
      .getByText('This link or code has expired or was used already. Ask for a new one.')
      .waitFor()
    await isClean(workbench.page, '/account')
    expect(await axeComplaints(workbench.page)).toEqual([])
  })
})

test('a failed link takes nobody out of the session that is there', async ({ harbour, workbench }) => {
  await workbench.openAs(harbour.account('skipper'))
  const { page } = workbench
  await page.goto('about:blank')
  await page.goto(`${harbour.url}/account#error=access_denied&error_code=otp_expired&sb=`)
  await page.getByText('The link did not sign you in').waitFor()
  await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor()
  await isClean(page, '/account')
})

test('a mailed link signs in where it was asked for', async ({ harbour, workbench }) => {
  const { page } = workbench
  await page.goto(await linkTo(harbour.url, 'otp', 'mate@harbour.test'))
  await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor()
  await page.getByRole('main').getByText('mate@harbour.test').waitFor()
  await isClean(page, '/account')
  await page.reload()
  await page.getByRole('main').getByText('mate@harbour.test').waitFor()
})

test('a provider leads back signed in', async ({ harbour, workbench }) => {
  const { page } = workbench
  const query = new URLSearchParams({ provider: 'google', redirect_to: `${harbour.url}/account` })
  await page.goto(`${harbour.url}/auth/v1/authorize?${query}`)
  await page.getByRole('button', { name: 'skipper@harbour.test' }).click()
  await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor()
  await page.getByRole('main').getByText('skipper@harbour.test').waitFor()
  await isClean(page, '/account')
})

test('a provider that was declined is told on the sign-in page', async ({ harbour, workbench }) => {
  const { page } = workbench
  const query = new URLSearchParams({ provider: 'google', redirect_to: `${harbour.url}/account` })
  await page.goto(`${harbour.url}/auth/v1/authorize?${query}`)
  await page.getByRole('button', { name: 'Decline' }).click()
  await workbench.signInForm.waitFor()
  await page.getByRole('alert').getByText('Signing in was declined.').waitFor()
  await isClean(page, '/account')
})

async function signUp(url: string, email: string): Promise<void> {
  expect(await post(url, 'signup', email, 'harbour-demo')).toBe(200)
}

const signInWith = (url: string, email: string, password: string) =>
  post(url, 'token?grant_type=password', email, password)

async function post(url: string, path: string, email: string, password: string): Promise<number> {
  const { key } = (await (await fetch(`${url}/_chartroom/config`)).json()) as { key: string }
  const { status } = await fetch(`${url}/auth/v1/${path}`, {
    method: 'POST',
    headers: { apikey: key },
    body: JSON.stringify({ email, password }),
  })
  return status
}
