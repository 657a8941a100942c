// From sign-in to an undone paste by keyboard alone.
import type { Locator, Page } from 'playwright-core'
import { keys, sections } from './page.ts'
import type { Act } from './state.ts'

const LONGEST_WAY = 60

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.first().waitFor()
  const isThere = () => target.evaluateAll(all => all.some(one => one === document.activeElement))
  for (let presses = 0; presses < LONGEST_WAY; presses++) {
    if (await isThere()) return
    await page.keyboard.press('Tab')
  }
  if (!(await isThere())) throw new Error(`${LONGEST_WAY} presses of Tab do not reach ${String(target)}`)
}

export const keyboard: Act = (page, product) => {
  const grid = page.getByRole('grid', { name: 'Rows of log_entries' })
  const row = (text: string) => grid.getByRole('row').filter({ hasText: text })
  const sizes = ['wide'] as const
  return [
    {
      name: 'sign-in',
      sizes,
      reach: async () => {
        await page.goto(product.url)
        const form = page.getByRole('form', { name: 'Sign in' })
        await tabTo(page, form.getByLabel('Email'))
        await page.keyboard.insertText(product.skipper.email)
        await tabTo(page, form.getByRole('textbox', { name: 'Password' }))
        await page.keyboard.insertText(product.skipper.password)
        await keys(page, 'Enter')
        await sections(page).waitFor()
      },
    },
    {
      name: 'table',
      sizes,
      reach: async () => {
        await keys(page, 'Control+k')
        await page.getByRole('combobox', { name: 'Command palette' }).waitFor()
        await page.keyboard.insertText('log_ent')
        await page.getByRole('option', { name: /log_entries/, selected: true }).waitFor()
        await keys(page, 'Enter')
        await page.getByRole('dialog').waitFor({ state: 'detached' })
        await grid.getByRole('row').nth(5).waitFor()
        await tabTo(page, page.getByRole('link', { name: 'Skip to the page' }))
        await keys(page, 'Enter')
        await tabTo(page, grid)
      },
    },
    {
      name: 'edited',
      sizes,
      reach: async () => {
        await keys(page, 'Control+Home', 'ArrowRight', 'ArrowRight', 'ArrowRight')
        await page.keyboard.type('KEYS')
        await keys(page, 'Enter')
        await row('KEYS').first().waitFor()
      },
    },
    {
      name: 'pasted',
      sizes,
      reach: async () => {
        await keys(page, 'ArrowUp', 'Control+c', 'ArrowDown', 'Shift+ArrowDown', 'Control+v')
        await row('KEYS').nth(2).waitFor()
      },
    },
    {
      name: 'undone',
      sizes,
      reach: async () => {
        await keys(page, 'Control+z')
        await row('KEYS').nth(1).waitFor({ state: 'detached' })
        await row('KEYS').first().waitFor()
      },
    },
  ]
}
