// The walk through failures: maintenance, a backend that hangs, a lost session, a backend that is gone.
import type { Page } from 'playwright-core'
import { goTo, signIn } from '../../screenshots/harbour.ts'
import type { Product } from '../product.ts'
import type { Stage } from '../stage.ts'
import { openTable, press } from './page.ts'

const banner = (page: Page, text: RegExp) =>
  page.getByRole('status').filter({ hasText: text }).first().waitFor({ timeout: 40_000 })

const openVessels = (page: Page) => page.getByRole('link', { name: 'vessels' }).click()

export async function failures({ page, see }: Stage, product: Product): Promise<void> {
  const recovered = async () => {
    await page
      .getByRole('status')
      .filter({ hasText: / since \d\d:/ })
      .waitFor({ state: 'detached', timeout: 60_000 })
  }
  await signIn(page, product.url, product.skipper)
  await press(page, 'Not now')
  await openTable(page, product.url, 'log_entries')
  await see('maintenance', async () => {
    await product.faults({ story: 'maintenance' })
    await openVessels(page)
    await banner(page, /is under maintenance/)
  })
  await see('maintenance-files', () => goTo(page, 'Files'))
  await see('maintenance-function', async () => {
    await goTo(page, 'Functions')
    await press(page, /^Call$/)
    await page.getByRole('region', { name: 'Response' }).getByText(/503/).first().waitFor()
  })
  await see(
    'recovered',
    async () => {
      await product.faults()
      await goTo(page, 'Data')
      await recovered()
    },
    { sizes: ['wide'] },
  )
  await see('hangs', async () => {
    await openTable(page, product.url, 'log_entries')
    product.freeze()
    await openVessels(page)
    await banner(page, /since \d\d:/)
  })
  product.thaw()
  await see('ended-session', async () => {
    await page.goto(`${product.url}/account`)
    await recovered()
    await product.faults({ when: { path: '/auth/v1/token' }, do: { session: 'revoked' }, times: 1 })
    await press(page, 'Refresh now')
    await page.getByRole('form', { name: 'Sign in' }).waitFor()
  })
  await product.faults()
  await see('refused', async () => {
    await signIn(page, product.url, product.skipper)
    await openTable(page, product.url, 'log_entries')
    await product.faults({ story: 'offline' })
    await openVessels(page)
    await banner(page, /since \d\d:/)
  })
  await see('refused-sign-in', async () => {
    await product.faults()
    await page.goto(`${product.url}/account`)
    await press(page, /^Sign out$/)
    await page.getByText('Signed out.', { exact: true }).waitFor()
    await product.faults({ story: 'offline' })
    const form = page.getByRole('form', { name: 'Sign in' })
    await form.getByRole('textbox', { name: 'Password' }).fill(product.skipper.password)
    await form.getByRole('button', { name: 'Sign in' }).click()
    await form
      .getByRole('alert')
      .or(page.getByRole('status').filter({ hasText: /since \d\d:/ }))
      .first()
      .waitFor({ timeout: 40_000 })
  })
  await product.faults()
}
