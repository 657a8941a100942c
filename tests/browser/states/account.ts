// States of the account, of connections, and of the frame around all pages.
import { DIALOG, enter, escape, keys, MAIN, MENU, openTable, press, sections, visit } from './page.ts'
import type { Act } from './state.ts'

export const account: Act = (page, product) => [
  {
    name: 'session',
    reach: async () => {
      await enter(page, product, product.skipper, '/account')
      await press(page, 'Decode')
      await page.getByRole('table').first().waitFor()
    },
  },
  ...['Profile', 'Security', 'Accounts'].map(tab => ({
    name: tab.toLowerCase(),
    part: MAIN,
    reach: async () => {
      await page.getByRole('tab', { name: tab }).click()
      await page.getByRole('tabpanel', { name: tab }).waitFor()
    },
  })),
  {
    name: 'two-accounts',
    part: MAIN,
    reach: async () => {
      await press(page, 'Add an account')
      const form = page.getByRole('form', { name: 'Sign in' })
      await form.getByLabel('Email').fill(product.mate.email)
      await form.getByRole('textbox', { name: 'Password' }).fill(product.mate.password)
      await form.getByRole('button', { name: 'Sign in' }).click()
      await sections(page).waitFor()
      await visit(page, '/account')
      await page.getByRole('tab', { name: 'Accounts' }).click()
      await page.getByRole('list', { name: 'Accounts' }).getByRole('listitem').nth(1).waitFor()
    },
  },
]

export const frame: Act = (page, product) => [
  {
    name: 'tour',
    part: '[data-tour-card]',
    reach: async () => {
      await product.signIn(page, product.skipper, '/data/log_entries')
      await press(page, 'Take the tour')
      await press(page, 'Next')
      await page.getByRole('heading', { name: 'Accounts and backends' }).waitFor()
    },
    leave: () => keys(page, 'Escape'),
  },
  {
    name: 'tooltip',
    part: 'header',
    sizes: ['wide'],
    reach: async () => {
      await page.getByRole('button', { name: 'Open the console' }).focus()
      await page.getByRole('tooltip', { name: 'Open the console' }).waitFor()
    },
    leave: () => keys(page, 'Escape'),
  },
  {
    name: 'switcher',
    part: MENU,
    reach: async () => {
      await press(page, /^Backend and account/)
      await page.getByRole('menu', { name: 'Backends and accounts' }).waitFor()
    },
    leave: escape(page),
  },
  {
    name: 'palette',
    part: DIALOG,
    reach: async () => {
      await keys(page, 'Control+k')
      await page.getByRole('combobox', { name: 'Command palette' }).fill('voy')
      await page.getByRole('option', { name: /voyages/, selected: true }).waitFor()
    },
    leave: escape(page),
  },
  {
    name: 'key-sheet',
    part: DIALOG,
    reach: async () => {
      await openTable(page, 'log_entries')
      // In the grid, a character begins to edit a cell.
      await sections(page)
        .getByRole('link', { name: /^Data\b/ })
        .focus()
      await keys(page, '?')
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    },
    leave: escape(page),
  },
  { name: 'no-such-page', reach: () => visit(page, '/nowhere') },
]

export const connections: Act = (page, product) => [
  {
    name: 'list',
    reach: async () => {
      await enter(page, product, product.skipper, '/connections')
      await page.getByRole('list', { name: 'Saved connections' }).waitFor()
    },
  },
  {
    name: 'diagnostics',
    inTests: 'pass',
    part: MAIN,
    reach: async () => {
      await press(page, /^Run diagnostics/)
      await page.getByText('All services OK').waitFor()
    },
  },
  {
    name: 'secret-key',
    reach: async () => {
      const form = page.getByRole('form', { name: 'Connect to a backend' })
      await form.getByLabel('URL').fill('https://supabase.com/dashboard/project/abcdefghijklmnopqrst/editor')
      await form.getByLabel('Publishable key').fill('sb_secret_0123456789')
      await form.getByRole('button', { name: 'Connect' }).click()
      await form.getByText(/This is a secret key/).waitFor()
    },
  },
]
