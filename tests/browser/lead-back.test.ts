// Links and providers redirect back into the workbench: signed in or with the reason why not, and no secret
// in the address.
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { withHarbour } from '../harness/browser.ts'
import { complaintsInEveryLook } from '../harness/looks.ts'

const test = withHarbour()

const sizes = { wide: { width: 1280, height: 800 }, narrow: { width: 390, height: 844 } } as const

/** Requests an email in the workbench itself, and returns its link. */
async function linkTo(
  url: string,
  { page }: { readonly page: Page },
  kind: 'recover' | 'otp',
  email: string,
) {
  await page.goto(`${url}/account`)
  if (kind === 'otp') await page.getByText('Magic link', { exact: true }).click()
  else await page.getByRole('button', { name: 'Forgot password?' }).click()
  const form = page.getByRole('form', {
    name: kind === 'otp' ? 'Sign in by magic link' : 'Reset your password',
  })
  await form.getByLabel('Email').fill(email)
  await page.keyboard.press('Enter')
  // A page that is left before the response takes its verifier along.
  await page.getByRole('form', { name: 'Code' }).waitFor()
  return mailedLink(url, email)
}

/** Requests an email as another app or browser does: without a challenge the link contains the session itself. */
async function foreignLinkTo(url: string, email: string, challenge: object = {}): Promise<string> {
  const { key } = (await (await fetch(`${url}/_chartroom/config`)).json()) as { key: string }
  const { status } = await fetch(`${url}/auth/v1/otp?redirect_to=${encodeURIComponent(`${url}/account`)}`, {
    method: 'POST',
    headers: { apikey: key },
    body: JSON.stringify({ email, ...challenge }),
  })
  expect(status).toBe(200)
  return mailedLink(url, email)
}

async function mailedLink(url: string, email: string): Promise<string> {
  const inbox = await fetch(`${url}/_chartroom/inbox.json?wait=20&to=${encodeURIComponent(email)}`)
  const { messages } = (await inbox.json()) as { messages: readonly { link: string }[] }
  return messages[0]?.link ?? ''
}

const newPassword = (page: Page) => page.getByRole('form', { name: 'New password' })
const isClean = async (page: Page, path: string) => {
  await page.waitForURL(url => url.pathname === path && url.hash === '' && url.search === '')
  const kept = await page.evaluate(() => location.href + JSON.stringify(history.state))
  expect(kept).not.toMatch(/token|code=/)
}

test('a recovery link requires a new password, once, and looks right in light and dark, wide and narrow', async ({
  harbour,
  workbench,
}) => {
  const email = 'lost@harbour.test'
  await signUp(harbour.url, email)
  const { page } = workbench
  const link = await linkTo(harbour.url, workbench, 'recover', email)
  await page.goto(link)
  await newPassword(page).waitFor()
  await isClean(page, '/account')
  const field = newPassword(page).getByLabel('New password', { exact: true })
  await field.fill('abc')
  await page.keyboard.press('Enter')
  await newPassword(page).getByText('Use at least 6 characters.', { exact: true }).waitFor()
  expect(await complaintsInEveryLook(page, sizes)).toEqual([])
  await field.fill('a new harbour')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor()
  expect(await signInWith(harbour.url, email, 'a new harbour')).toBe(200)

  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await workbench.signInForm.waitFor()
  await page.goto(link)
  await workbench.signInForm.waitFor()
  await page
    .getByRole('alert')
    .getByText('This link or code has expired or was already used. Request a new one.')
    .waitFor()
  await isClean(page, '/account')
})

test('a link with the tokens of another user does not sign in, one requested here does, and none replaces a session', async ({
  harbour,
  workbench,
}) => {
  const { page, signInForm } = workbench
  const { url } = harbour
  // Each address gets one email, since a second one would come too early.
  const [other, elsewhere, email] = ['other@harbour.test', 'elsewhere@harbour.test', 'here@harbour.test']
  for (const each of [other, elsewhere, email]) await signUp(url, each)
  // It contains the session itself.
  await page.goto(await foreignLinkTo(url, 'mate@harbour.test'))
  await signInForm.waitFor()
  await page.getByRole('alert').getByText('This link would sign in anyone who opens it').waitFor()
  await isClean(page, '/account')
  // It contains a code, whose verifier another browser has.
  await page.goto(
    await foreignLinkTo(url, elsewhere, { code_challenge: 'x'.repeat(43), code_challenge_method: 's256' }),
  )
  await signInForm.waitFor()
  await page.getByRole('alert').getByText('This link was requested in another browser').waitFor()

  const own = await linkTo(url, workbench, 'otp', email)
  const tab = await page.context().newPage()
  await tab.goto(own)
  await tab.getByRole('heading', { level: 1, name: 'Account' }).waitFor()
  await tab.getByRole('main').getByText(email).waitFor()
  await isClean(tab, '/account')
  await tab.reload()
  await tab.getByRole('main').getByText(email).waitFor()
  await tab.close()

  const failed = `${url}/account#error=access_denied&error_code=otp_expired&sb=`
  for (const link of [failed, await foreignLinkTo(url, other)]) {
    await page.goto('about:blank')
    await page.goto(link)
    await page.getByText('The link did not sign you in').waitFor()
    await page.getByRole('main').getByText(email).waitFor()
    await isClean(page, '/account')
  }
})

test('a provider redirects back: with the reason after a cancel, and signed in', async ({
  harbour,
  workbench,
}) => {
  const { page } = workbench
  const query = new URLSearchParams({ provider: 'google', redirect_to: `${harbour.url}/account` })
  await page.goto(`${harbour.url}/auth/v1/authorize?${query}`)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await workbench.signInForm.waitFor()
  await page.getByRole('alert').getByText('Sign-in was declined.').waitFor()
  await isClean(page, '/account')
  await page.getByRole('button', { name: 'Google' }).click()
  await page.getByRole('button', { name: 'skipper@harbour.test' }).click()
  await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor()
  await page.getByRole('main').getByText('skipper@harbour.test').waitFor()
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
