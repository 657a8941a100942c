// The walk before and around a session: every form, a new account, a guest, a second factor.
import type { Page } from 'playwright-core'
import { Secret, TOTP } from 'otpauth'
import { signIn } from '../../screenshots/harbour.ts'
import type { Product } from '../product.ts'
import type { Stage } from '../stage.ts'
import { press, sections } from './page.ts'

const way = (page: Page, name: string) => page.getByRole('radio', { name }).check({ force: true })
const code = (page: Page) => page.getByRole('form', { name: 'Code' })

export async function signInForms({ page, see }: Stage, product: Product): Promise<void> {
  const form = page.getByRole('form', { name: 'Sign in' })
  await see('form', async () => {
    await page.goto(product.url)
    await form.waitFor()
  })
  await see('wrong-password', async () => {
    await form.getByLabel('Email').fill(product.mate.email)
    await form.getByRole('textbox', { name: 'Password' }).fill('wrong')
    await form.getByRole('button', { name: 'Sign in' }).click()
    await form.getByRole('alert').waitFor()
  })
  await see('sign-up', async () => {
    await press(page, 'Create an account')
    await page.getByText('Use at least 6 characters.').waitFor()
  })
  await see('magic-link', async () => {
    await press(page, /^Already have an account/)
    await way(page, 'Magic link')
    await page.getByRole('form', { name: 'Sign in by magic link' }).waitFor()
  })
  await see('magic-link-sent', async () => {
    await page.getByLabel('Email').fill(product.mate.email)
    await press(page, 'Send email')
    await page.getByText(`We sent a link to ${product.mate.email}`).waitFor()
  })
  await see('forgotten-password', async () => {
    await page.goto(product.url)
    await press(page, 'Forgot password?')
    await page.getByRole('button', { name: 'Send email' }).waitFor()
  })
  await see('reset-sent', async () => {
    await page.getByLabel('Email').fill(product.skipper.email)
    await press(page, 'Send email')
    await code(page).waitFor()
  })
  await see('new-password', async () => {
    await code(page)
      .getByLabel('Code')
      .fill(await product.codeTo(product.skipper.email))
    await page.keyboard.press('Enter')
    await page.getByRole('form', { name: 'New password' }).waitFor()
  })
  await see('inbox', async () => {
    await page.goto(`${product.url}/_chartroom/inbox`)
    await page.getByRole('heading').first().waitFor()
  })
}

export async function newcomers({ page, see }: Stage, product: Product): Promise<void> {
  await see('provider', async () => {
    await page.goto(product.url)
    await press(page, 'GitHub')
    await page.getByRole('heading', { name: 'Sign in with GitHub' }).waitFor()
  })
  await see('guest-account', async () => {
    await page.goto(product.url)
    await press(page, 'Continue as guest')
    await sections(page).waitFor()
    await page.goto(`${product.url}/account`)
    await page
      .getByText(/^You’re a guest/)
      .first()
      .waitFor()
  })
  await see('guest-no-rows', async () => {
    await page.goto(`${product.url}/data/log_entries`)
    await page.getByText('No rows visible to you').waitFor()
  })
  await see('guest-signs-out', async () => {
    await page.goto(`${product.url}/account`)
    await press(page, /^Sign out$/)
    await page.getByRole('alertdialog').waitFor()
  })
  await see('signed-out', async () => {
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: /^Sign out/ })
      .click()
    await page.getByText('Signed out.', { exact: true }).waitFor()
  })
}

export async function secondFactor({ page, see }: Stage, product: Product): Promise<void> {
  const stepUp = page.getByRole('form', { name: 'Second factor' })
  let totp = new TOTP()
  await see('setup', async () => {
    await signIn(page, product.url, product.mate)
    await page.goto(`${product.url}/account#security`)
    await press(page, 'Set up an authenticator app')
    await page.getByLabel('Name').fill('Phone')
    await page.keyboard.press('Enter')
    await page.getByRole('img', { name: /^QR code/ }).waitFor()
    await press(page, /Show key/)
    const key = await page.getByRole('form', { name: 'First code' }).locator('code').textContent()
    totp = new TOTP({ secret: Secret.fromBase32((key ?? '').replaceAll(' ', '')) })
  })
  await see('verified', async () => {
    await page.getByLabel('6-digit code').fill(totp.generate())
    await page.keyboard.press('Enter')
    await page.getByRole('list', { name: 'Second factors' }).getByText('verified').waitFor()
  })
  await see('challenge', async () => {
    await page.getByRole('tab', { name: 'Session' }).click()
    await press(page, /^Sign out$/)
    await page.getByText('Signed out.', { exact: true }).waitFor()
    const form = page.getByRole('form', { name: 'Sign in' })
    await form.getByRole('textbox', { name: 'Password' }).fill(product.mate.password)
    await form.getByRole('button', { name: 'Sign in' }).click()
    await stepUp.waitFor()
  })
  await see('wrong-code', async () => {
    await stepUp.getByRole('textbox').fill('000000')
    await page.keyboard.press('Enter')
    await stepUp.getByText('This code is wrong.').waitFor()
  })
  await see('not-verified', async () => {
    await stepUp.getByRole('button', { name: 'Not now' }).click()
    await sections(page).waitFor()
  })
}
