// States before and around a session: every form, a new account, a guest, a second factor, emails.
import { Secret, TOTP } from 'otpauth'
import { replayReport } from '../../harness/replay-report.ts'
import { enter, MAIN, press, sections, visit, DIALOG } from './page.ts'
import type { Act } from './state.ts'

const PAGES = ['wide', 'small'] as const

export const signInForms: Act = (page, product) => {
  const form = page.getByRole('form', { name: 'Sign in' })
  const way = (name: string) => page.getByRole('radio', { name }).check({ force: true })
  const code = page.getByRole('form', { name: 'Code' })
  const newPassword = page.getByRole('form', { name: 'New password' })
  return [
    {
      name: 'form',
      reach: async () => {
        await page.goto(product.url)
        await form.waitFor()
      },
    },
    {
      name: 'wrong-password',
      inTests: 'skip',
      part: 'form',
      reach: async () => {
        await form.getByLabel('Email').fill(product.mate.email)
        await form.getByRole('textbox', { name: 'Password' }).fill('wrong')
        await form.getByRole('button', { name: 'Sign in' }).click()
        await form.getByRole('alert').waitFor()
      },
    },
    {
      name: 'sign-up',
      reach: async () => {
        await press(page, 'Create an account')
        await page.getByText('Use at least 6 characters.').waitFor()
      },
    },
    {
      name: 'magic-link',
      inTests: 'skip',
      part: 'form',
      reach: async () => {
        await press(page, /^Already have an account/)
        await way('Magic link')
        await page.getByRole('form', { name: 'Sign in by magic link' }).waitFor()
      },
    },
    {
      name: 'magic-link-sent',
      inTests: 'skip',
      part: MAIN,
      reach: async () => {
        await page.getByLabel('Email').fill(product.mate.email)
        await press(page, 'Send email')
        await page.getByText(`We sent a link to ${product.mate.email}`).waitFor()
      },
    },
    {
      name: 'other-ways',
      reach: async () => {
        const settings = { external: { email: true, phone: true }, saml_enabled: true }
        await page.route('**/auth/v1/settings', route => route.fulfill({ json: settings }))
        await page.goto(product.url)
        await way('Phone')
        await page.getByLabel('Phone number').waitFor()
      },
      leave: () => page.unroute('**/auth/v1/settings'),
    },
    {
      name: 'forgotten-password',
      inTests: 'pass',
      part: MAIN,
      reach: async () => {
        await page.goto(product.url)
        await press(page, 'Forgot password?')
        await page.getByRole('button', { name: 'Send email' }).waitFor()
      },
    },
    {
      name: 'reset-sent',
      inTests: 'pass',
      part: MAIN,
      reach: async () => {
        await page.getByLabel('Email').fill(product.skipper.email)
        await press(page, 'Send email')
        await code.waitFor()
      },
    },
    {
      name: 'new-password',
      reach: async () => {
        await code.getByLabel('Code').fill(await product.codeTo(product.skipper.email))
        await page.keyboard.press('Enter')
        await newPassword.waitFor()
      },
    },
    {
      name: 'short-password',
      reach: async () => {
        await newPassword.getByLabel('New password', { exact: true }).fill('abc')
        await page.keyboard.press('Enter')
        await newPassword.getByText('Use at least 6 characters.', { exact: true }).waitFor()
      },
    },
  ]
}

/** Pages that are not of the app: the backend's, and a report. */
export const otherPages: Act = (page, product) => {
  const emails = page.getByRole('navigation', { name: 'Emails' }).getByRole('link')
  const email = 'somebody.with.a.name.longer.than.any.row@harbour.test'
  return [
    {
      name: 'no-email',
      sizes: PAGES,
      reach: async () => {
        await page.request.delete(`${product.url}/_chartroom/inbox`)
        await page.goto(`${product.url}/_chartroom/inbox`)
        await page.getByRole('heading', { name: 'No email yet' }).waitFor()
      },
    },
    {
      name: 'emails',
      sizes: PAGES,
      reach: async () => {
        const config = await page.request.get(`${product.url}/_chartroom/config`)
        const { key } = (await config.json()) as { readonly key: string }
        await page.request.post(`${product.url}/auth/v1/otp`, { headers: { apikey: key }, data: { email } })
        await emails.first().waitFor()
      },
    },
    {
      name: 'email',
      sizes: PAGES,
      reach: async () => {
        await emails.first().click()
        await page.getByText('Use in tests').click()
        await page.getByText('token_hash').waitFor()
      },
    },
    {
      name: 'provider',
      sizes: PAGES,
      reach: async () => {
        await page.goto(product.url)
        await press(page, 'GitHub')
        await page.getByRole('heading', { level: 1, name: 'Sign in with GitHub' }).waitFor()
      },
    },
    {
      name: 'provider-error',
      sizes: PAGES,
      reach: async () => {
        const field = page.getByRole('textbox', { name: 'Email' })
        await field.evaluate(({ form }: HTMLInputElement) => form?.setAttribute('novalidate', ''))
        await field.fill('nobody')
        await press(page, 'Sign in')
        await page.getByText('Enter an email such as').waitFor()
      },
    },
    {
      name: 'replay-report',
      sizes: PAGES,
      reach: async () => {
        await page.goto(await replayReport())
        await page.getByText('reports/2026-11-26/c.gz').click()
        await page.getByText('30 files').click()
        await page.getByText('reports/2026-11-26/ok-29.gz').waitFor()
      },
    },
  ]
}

export const newcomers: Act = (page, product) => [
  {
    name: 'guest-account',
    inTests: 'skip',
    part: MAIN,
    reach: async () => {
      await page.goto(`${product.url}/account`)
      await press(page, 'Continue as guest')
      await page
        .getByText(/^You’re a guest/)
        .first()
        .waitFor()
    },
  },
  {
    name: 'guest-no-rows',
    inTests: 'skip',
    part: MAIN,
    reach: async () => {
      await visit(page, '/data/log_entries')
      await page.getByText('No rows visible to you').waitFor()
    },
  },
  {
    name: 'guest-signs-out',
    inTests: 'skip',
    part: DIALOG,
    reach: async () => {
      await visit(page, '/account')
      await press(page, /^Sign out$/)
      await page.getByRole('alertdialog').waitFor()
    },
  },
  {
    name: 'signed-out',
    inTests: 'skip',
    part: MAIN,
    reach: async () => {
      await page
        .getByRole('alertdialog')
        .getByRole('button', { name: /^Sign out/ })
        .click()
      await page.getByText('Signed out.', { exact: true }).waitFor()
    },
  },
  {
    name: 'used-link',
    reach: async () => {
      await page.goto('about:blank')
      await page.goto(`${product.url}/account#error=access_denied&error_code=otp_expired&sb=`)
      await page
        .getByRole('alert')
        .getByText('This link or code has expired or was already used. Request a new one.')
        .waitFor()
    },
  },
  {
    name: 'link-of-another',
    part: MAIN,
    reach: async () => {
      // Requested elsewhere, so that it contains the session itself.
      const config = await page.request.get(`${product.url}/_chartroom/config`)
      const { key } = (await config.json()) as { readonly key: string }
      const { email } = product.mate
      await page.request.post(`${product.url}/auth/v1/otp`, {
        params: { redirect_to: `${product.url}/account` },
        headers: { apikey: key },
        data: { email },
      })
      const inbox = await page.request.get(`${product.url}/_chartroom/inbox.json`, {
        params: { wait: 20, to: email },
      })
      const { messages } = (await inbox.json()) as { readonly messages: readonly { readonly link: string }[] }
      await page.goto('about:blank')
      await page.goto(messages[0]?.link ?? '')
      await page.getByRole('alert').getByText('This link would sign in anyone who opens it').waitFor()
    },
  },
]

export const secondFactor: Act = (page, product) => {
  const stepUp = page.getByRole('form', { name: 'Second factor' })
  let totp = new TOTP()
  return [
    {
      name: 'setup',
      part: MAIN,
      reach: async () => {
        await enter(page, product, product.mate, '/account#security')
        await press(page, 'Set up an authenticator app')
        await page.getByLabel('Name').fill('Phone')
        await page.keyboard.press('Enter')
        await page.getByRole('img', { name: /^QR code/ }).waitFor()
        await press(page, /Show key/)
        const key = await page.getByRole('form', { name: 'First code' }).locator('code').textContent()
        totp = new TOTP({ secret: Secret.fromBase32((key ?? '').replaceAll(' ', '')) })
      },
    },
    {
      name: 'verified',
      inTests: 'pass',
      part: MAIN,
      reach: async () => {
        await page.getByLabel('6-digit code').fill(totp.generate())
        await page.keyboard.press('Enter')
        await page.getByRole('list', { name: 'Second factors' }).getByText('verified').waitFor()
      },
    },
    {
      name: 'challenge',
      reach: async () => {
        await page.getByRole('tab', { name: 'Session' }).click()
        await press(page, /^Sign out$/)
        await page.getByText('Signed out.', { exact: true }).waitFor()
        const form = page.getByRole('form', { name: 'Sign in' })
        await form.getByRole('textbox', { name: 'Password' }).fill(product.mate.password)
        await form.getByRole('button', { name: 'Sign in' }).click()
        await stepUp.waitFor()
      },
    },
    {
      name: 'wrong-code',
      inTests: 'skip',
      part: MAIN,
      reach: async () => {
        await stepUp.getByRole('textbox').fill('000000')
        await page.keyboard.press('Enter')
        await stepUp.getByText('This code is wrong.').waitFor()
      },
    },
    {
      name: 'not-verified',
      inTests: 'skip',
      reach: async () => {
        await stepUp.getByRole('button', { name: 'Not now' }).click()
        await sections(page).waitFor()
      },
    },
  ]
}
