// States of failures: maintenance, a backend that hangs, a lost session, a backend that is gone.
import { enter, FEW, goTo, openTable, press, visit } from './page.ts'
import type { Act } from './state.ts'

const LONG = { timeout: 40_000 }

export const failures: Act = (page, product) => {
  const since = page.getByRole('status').filter({ hasText: / since \d+:/ })
  const openVessels = () => page.getByRole('link', { name: 'vessels' }).click()
  const recovered = () => since.waitFor({ state: 'detached', timeout: 60_000 })
  const banner = (text: RegExp) => page.getByRole('status').filter({ hasText: text }).first().waitFor(LONG)
  return [
    {
      name: 'maintenance',
      reach: async () => {
        await enter(page, product, product.skipper, `/data/log_entries${FEW}`)
        await openTable(page, 'log_entries', FEW)
        await product.faults({ story: 'maintenance' })
        await openVessels()
        await banner(/is under maintenance/)
      },
    },
    { name: 'maintenance-files', inTests: 'skip', reach: () => goTo(page, 'Files') },
    {
      name: 'maintenance-function',
      inTests: 'skip',
      part: 'main',
      reach: async () => {
        await goTo(page, 'Functions')
        await press(page, /^Call$/)
        await page.getByRole('region', { name: 'Response' }).getByText(/503/).first().waitFor()
      },
      leave: () => product.faults(),
    },
    {
      name: 'recovered',
      inTests: 'skip',
      sizes: ['wide'],
      reach: async () => {
        await goTo(page, 'Data')
        await recovered()
      },
    },
    {
      name: 'hangs',
      inTests: 'skip',
      reach: async () => {
        await openTable(page, 'log_entries')
        product.freeze?.()
        await openVessels()
        await banner(/since \d+:/)
      },
      leave: async () => product.thaw?.(),
    },
    {
      name: 'ended-session',
      inTests: 'skip',
      reach: async () => {
        await visit(page, '/account')
        await recovered()
        await product.faults({ when: { path: '/auth/v1/token' }, do: { session: 'revoked' }, times: 1 })
        await press(page, 'Refresh now')
        await page.getByRole('form', { name: 'Sign in' }).waitFor()
      },
      leave: () => product.faults(),
    },
    {
      name: 'refused',
      inTests: 'skip',
      reach: async () => {
        await product.signIn(page, product.skipper, '/data/log_entries')
        await openTable(page, 'log_entries')
        await product.faults({ story: 'offline' })
        await openVessels()
        await banner(/since \d+:/)
      },
      leave: () => product.faults(),
    },
    {
      name: 'refused-sign-in',
      inTests: 'skip',
      reach: async () => {
        await visit(page, '/account')
        await press(page, /^Sign out$/)
        await page.getByText('Signed out.', { exact: true }).waitFor()
        await product.faults({ story: 'offline' })
        const form = page.getByRole('form', { name: 'Sign in' })
        await form.getByRole('textbox', { name: 'Password' }).fill(product.skipper.password)
        await form.getByRole('button', { name: 'Sign in' }).click()
        await form.getByRole('alert').or(since).first().waitFor(LONG)
      },
      leave: () => product.faults(),
    },
  ]
}
