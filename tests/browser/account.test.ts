// The account in a real browser: every sign-in method, an email change, a second factor, several accounts at
// once.
import { Secret, TOTP } from 'otpauth'
import { expect } from 'vitest'
import { withHarbour } from '../harness/browser.ts'
import type { WorkbenchPage } from '../harness/workbench-page.ts'

const PHONE = '15551234567'
const test = withHarbour({
  auth: {
    passwordRequirements: 'lower_upper_letters_digits',
    email: { enableConfirmations: true, maxFrequencySeconds: 0 },
    sms: { enableSignup: true, testOtp: { [PHONE]: '123456' }, maxFrequencySeconds: 0 },
  },
})

/** The code in the newest email to an address. */
async function codeTo(url: string, to: string): Promise<string> {
  const inbox = await fetch(`${url}/_chartroom/inbox.json?to=${encodeURIComponent(to)}`)
  const { messages } = (await inbox.json()) as { messages: readonly { otp?: string }[] }
  return messages[0]?.otp ?? ''
}

const tab = ({ page }: WorkbenchPage, name: string) => page.getByRole('tab', { name }).click()
const way = ({ page }: WorkbenchPage, name: string) =>
  page.getByRole('radio', { name }).check({ force: true })
const account = ({ page }: WorkbenchPage) => page.getByRole('heading', { level: 1, name: 'Account' })
const signOut = async ({ page }: WorkbenchPage) => {
  await page.getByRole('tab', { name: 'Session' }).click()
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.getByText('Signed out.', { exact: true }).waitFor()
}

test('a new account: missing password requirements, a countdown, the confirmation', async ({
  harbour: { url },
  workbench,
}) => {
  const { page, watch } = workbench
  watch.allow(/status of 4\d\d/)
  const email = 'cook@harbour.test'
  await workbench.open('/account')
  await page.getByRole('radio', { name: 'Phone' }).waitFor()
  await page.getByRole('button', { name: 'Create an account' }).click()
  const form = page.getByRole('form', { name: 'Sign up' })
  await form.getByLabel('Email').fill(email)
  await form.getByLabel('Password', { exact: true }).fill('galley-demo')
  await page.keyboard.press('Enter')
  const needs = page.getByRole('list', { name: 'Password requirements' }).getByRole('listitem')
  await expect
    .poll(() => needs.allTextContents())
    .toEqual(['A lower-case letter (met)', 'An upper-case letter (missing)', 'A digit (missing)'])
  await form.getByLabel('Password', { exact: true }).fill('Galley-demo-1')
  await expect.poll(() => needs.allTextContents()).not.toContainEqual(expect.stringContaining('missing'))
  await page.keyboard.press('Enter')
  await page.getByText(`We sent a link to ${email}`).waitFor()

  // A user who goes back and signs in at once is informed, and can resend the email.
  await page.getByRole('button', { name: 'Sign in' }).click()
  const refusal = { status: 429, headers: { 'retry-after': '1' }, json: { code: 'over_request_rate_limit' } }
  await page.route('**/auth/v1/token?*', route => route.fulfill(refusal), { times: 1 })
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('timer').waitFor()
  expect(await page.getByRole('button', { name: 'Sign in' }).isDisabled()).toBe(true)
  await page.getByText('You can try again now.').waitFor()
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('This email is not confirmed yet').waitFor()
  await page.getByRole('button', { name: 'Resend confirmation email' }).click()
  const code = page.getByRole('form', { name: 'Code' })
  await code.getByLabel('Code').fill('000000')
  await page.keyboard.press('Enter')
  await page.getByText('This code is wrong, has expired or was already used.').waitFor()
  await code.getByLabel('Code').fill(await codeTo(url, email))
  await page.keyboard.press('Enter')
  await account(workbench).waitFor()
})

test('without a password: by email, by a recovery email, by phone', async ({ harbour, workbench }) => {
  const { page } = workbench
  const { email } = harbour.account('skipper')
  const code = page.getByRole('form', { name: 'Code' })
  await workbench.openAs(harbour.account('skipper'), '/account')
  await signOut(workbench)
  await way(workbench, 'Magic link')
  const mail = page.getByRole('form', { name: 'Sign in by magic link' })
  expect(await mail.getByLabel('Email').inputValue()).toBe(email)
  await mail.getByRole('button', { name: 'Send email' }).click()
  await page.getByText(`We sent a link to ${email}`).waitFor()
  await page.getByRole('button', { name: 'Resend' }).click()
  await page.getByText('Sent again.').waitFor()
  await code.getByLabel('Code').fill(await codeTo(harbour.url, email))
  await page.keyboard.press('Enter')
  await account(workbench).waitFor()

  await signOut(workbench)
  await page.getByRole('button', { name: 'Forgot password?' }).click()
  await page.getByRole('button', { name: 'Send email' }).click()
  await page.getByText(`If ${email} has an account`).waitFor()
  await code.getByLabel('Code').fill(await codeTo(harbour.url, email))
  await page.keyboard.press('Enter')
  await page.getByRole('form', { name: 'New password' }).waitFor()
  await page.getByRole('button', { name: 'Not now' }).click()
  await account(workbench).waitFor()

  await signOut(workbench)
  await way(workbench, 'Phone')
  await page.getByLabel('Phone number').fill('+1 (555) 123-4567')
  await page.keyboard.press('Enter')
  await page.getByText('We sent a text message to').waitFor()
  await code.getByLabel('Code').fill('123456')
  await page.keyboard.press('Enter')
  await account(workbench).waitFor()
})

test('what other backends report: single sign-on, a captcha, no new accounts', async ({ workbench }) => {
  const { page, watch } = workbench
  watch.allow(/status of 4\d\d/)
  await page.route('**/auth/v1/settings', route =>
    route.fulfill({ json: { external: { email: true }, saml_enabled: true, disable_signup: true } }),
  )
  await workbench.open()
  await way(workbench, 'Single sign-on')
  await page.getByLabel('Domain').fill('skipper@example.com')
  await page.route('**/auth/v1/sso', route => {
    expect(route.request().postDataJSON()).toMatchObject({ domain: 'example.com' })
    return route.fulfill({
      status: 404,
      json: { error_code: 'sso_provider_not_found', msg: 'No such provider' },
    })
  })
  await page.keyboard.press('Enter')
  await page.getByText('No single sign-on is set up for this domain.').waitFor()

  await way(workbench, 'Password')
  expect(await page.getByRole('button', { name: 'Create an account' }).count()).toBe(0)
  const sent: unknown[] = []
  await page.route('**/auth/v1/token?*', route => {
    sent.push((route.request().postDataJSON() as Record<string, unknown>)['gotrue_meta_security'])
    return route.fulfill({ status: 400, json: { error_code: 'captcha_failed', msg: 'captcha protection' } })
  })
  await workbench.submitSignIn({ email: 'a@harbour.test', password: 'x' })
  await page.getByLabel('Captcha token').fill('a-token')
  await page.keyboard.press('Enter')
  await expect.poll(() => sent[1]).toEqual({ captcha_token: 'a-token' })
  await expect.poll(() => page.getByLabel('Captcha token').inputValue()).toBe('')
})

test('a guest keeps the account by adding an email; the metadata is what was written', async ({
  harbour: { url },
  workbench,
}) => {
  const { page } = workbench
  await workbench.open('/account')
  await page.getByRole('button', { name: 'Continue as guest' }).click()
  await page.getByText('You’re a guest: this account exists only in this browser.').waitFor()
  await page.getByText('guest, without a sign-in method').waitFor()
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('link', { name: 'Add an email' }).click()
  await page.getByLabel('Your email').fill('stowaway@harbour.test')
  await page.keyboard.press('Enter')
  const consent = page.getByRole('form', { name: 'Confirm stowaway@harbour.test' })
  await consent.waitFor()
  await consent.getByRole('textbox').fill(await codeTo(url, 'stowaway@harbour.test'))
  await page.keyboard.press('Enter')
  await page.getByText('You sign in as stowaway@harbour.test.').waitFor()
  await expect.poll(() => page.getByText('You’re a guest').count()).toBe(0)

  // Changing the email of a permanent account notifies both addresses.
  await page.getByLabel('New email').fill('purser@harbour.test')
  await page.keyboard.press('Enter')
  for (const address of ['stowaway@harbour.test', 'purser@harbour.test']) {
    const consent = page.getByRole('form', { name: `Confirm ${address}` })
    await consent.waitFor()
    await consent.getByRole('textbox').fill(await codeTo(url, address))
    await consent.getByRole('button', { name: 'Confirm' }).click()
    if (address.startsWith('stowaway')) await consent.getByRole('button', { name: 'Confirmed' }).waitFor()
  }
  await page.getByText('You sign in as purser@harbour.test.').waitFor()

  const metadata = page.getByRole('region', { name: 'Metadata' })
  const text = metadata.getByLabel('Your metadata')
  await text.fill('{"name": }')
  await metadata.getByText(/^Invalid JSON/).waitFor()
  const written = { name: '船長 👩‍✈️ <script>', rank: null, boats: [{ id: '9007199254740993' }] }
  await text.fill(JSON.stringify(written))
  await page.reload()
  await expect.poll(() => text.inputValue()).toBe(JSON.stringify(written))
  await metadata.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Metadata saved').waitFor()
  const { rank: _, ...kept } = written
  await expect.poll(async () => JSON.parse(await text.inputValue()) as unknown).toMatchObject(kept)
})

test('a second factor: set up by its QR code, confirmed at the next sign-in, and removed', async ({
  harbour,
  workbench,
}) => {
  const { page, watch } = workbench
  watch.allow(/status of 4\d\d/)
  await workbench.openAs(harbour.account('mate'), '/account#security')
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
  await page.getByLabel('Name').fill('Phone')
  await page.keyboard.press('Enter')
  await page.getByRole('img', { name: /^QR code/ }).waitFor()
  expect(await page.content()).not.toContain('otpauth:')
  await page.getByRole('button', { name: /Show key/ }).click()
  const key = (await page.getByRole('form', { name: 'First code' }).locator('code').textContent()) ?? ''
  const totp = new TOTP({ secret: Secret.fromBase32(key.replaceAll(' ', '')) })
  await page.getByLabel('6-digit code').fill('000000')
  await page.keyboard.press('Enter')
  await page.getByText('This code is wrong. Codes change every 30 s').waitFor()
  await page.getByLabel('6-digit code').fill(totp.generate())
  await page.keyboard.press('Enter')
  await page.getByRole('list', { name: 'Second factors' }).getByText('verified').waitFor()

  await signOut(workbench)
  await page.getByRole('button', { name: 'Forgot password?' }).click()
  await page.getByRole('button', { name: 'Send email' }).click()
  const mailed = page.getByRole('textbox', { name: 'Code' })
  await mailed.waitFor()
  await mailed.fill(await codeTo(harbour.url, harbour.account('mate').email))
  await page.keyboard.press('Enter')
  const stepUp = page.getByRole('form', { name: 'Second factor' })
  await stepUp.getByText('Phone').waitFor()
  await page.getByRole('button', { name: 'Not now' }).click()
  await page.getByRole('heading', { level: 1, name: 'Choose a new password' }).waitFor()
  await page.getByRole('button', { name: 'Not now' }).click()
  await signOut(workbench)

  await workbench.submitSignIn(harbour.account('mate'))
  await stepUp.getByRole('textbox').fill('000000')
  await page.keyboard.press('Enter')
  await stepUp.getByText('This code is wrong. Codes change every 30 s').waitFor()
  await stepUp.getByRole('button', { name: 'Not now' }).click()
  await tab(workbench, 'Security')
  await stepUp.waitFor()
  await signOut(workbench)

  await workbench.submitSignIn(harbour.account('mate'))
  await stepUp.getByRole('textbox').fill(totp.generate())
  await page.keyboard.press('Enter')
  await workbench.sections.waitFor()
  await tab(workbench, 'Security')
  expect(await stepUp.isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Remove Phone' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('list', { name: 'Second factors' }).waitFor({ state: 'detached' })
})

test('a token is shown on request; two accounts side by side, a provider in addition to a password', async ({
  harbour,
  workbench,
}) => {
  const { page } = workbench
  const [skipper, mate] = [harbour.account('skipper'), harbour.account('mate')]
  await workbench.openAs(skipper, '/account')
  const token = await page.evaluate(name => {
    const { access_token } = JSON.parse(localStorage.getItem(name) ?? '{}') as { access_token: string }
    return access_token
  }, `chartroom.session.${harbour.url}`)
  const region = page.getByRole('region', { name: 'Access token' })
  expect(await region.getByRole('meter').getAttribute('aria-valuetext')).toMatch(/^Access token: .* left\./)
  expect(await region.getByRole('table').count()).toBe(0)
  await region.getByRole('button', { name: 'Decode' }).click()
  await region.getByRole('row', { name: /^role .* authenticated$/ }).waitFor()
  expect(await page.content()).not.toContain(token)
  await region.getByRole('button', { name: 'Show encoded token' }).click()
  await region.getByText(token).waitFor()
  await region.getByRole('button', { name: 'Hide', exact: true }).click()
  expect(await page.content()).not.toContain(token)

  await tab(workbench, 'Security')
  await page.getByRole('button', { name: 'Add GitHub' }).click()
  // The switch of accounts, on the page before, has a button with this address, too.
  await page.getByRole('heading', { name: 'Sign in with GitHub' }).waitFor()
  await page.getByRole('button', { name: skipper.email }).click()
  await account(workbench).waitFor()
  await tab(workbench, 'Security')
  const ways = page.getByRole('list', { name: 'Sign-in methods' }).getByRole('listitem')
  await expect.poll(() => ways.count()).toBe(2)
  await page.getByRole('button', { name: 'Remove GitHub' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expect.poll(() => ways.count()).toBe(1)

  await tab(workbench, 'Accounts')
  await page.getByRole('button', { name: 'Add an account' }).click()
  await workbench.submitSignIn(mate)
  await tab(workbench, 'Accounts')
  const accounts = page.getByRole('list', { name: 'Accounts' }).getByRole('listitem')
  await expect.poll(() => accounts.count()).toBe(2)
  await page.getByRole('button', { name: `Switch to ${skipper.email}` }).click()
  await page.getByRole('button', { name: `Switch to ${mate.email}` }).waitFor()
  // Requests for the other account's view use its own client, whose recording the console shows.
  const place = page.url()
  await page.goto(`${new URL(place).origin}/data/vessels`)
  await page.getByRole('button', { name: 'Seen by…' }).click()
  await page.getByRole('button', { name: `Show request as ${mate.email}` }).click()
  await page.getByRole('button', { name: `Client of ${mate.email}` }).waitFor()
  await page
    .getByRole('row', { name: /^GET rest\/vessels/ })
    .first()
    .waitFor()
  await page.goto(place)
  await page.getByRole('button', { name: `Sign ${mate.email} out` }).click()
  await expect.poll(() => accounts.count()).toBe(1)
  await page.reload()
  await page.getByText('current', { exact: true }).waitFor()
  expect(await accounts.count()).toBe(1)
})
