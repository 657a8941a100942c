// How the walk uses a page: by role and by name.
import type { Locator, Page } from 'playwright-core'

export const press = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('button', { name }).first().click()

export const sections = (page: Page): Locator => page.getByRole('navigation', { name: 'Sections' })

/** Opens a table by its address, and waits until its rows are live. */
export async function openTable(page: Page, url: string, table: string): Promise<void> {
  await page.goto(`${url}/data/${table}`)
  await page.getByRole('grid').first().getByRole('row').nth(3).waitFor()
  await page.getByRole('main').getByText('live', { exact: true }).waitFor()
}

export const cell = (page: Page, name: string): Locator =>
  page.getByRole('gridcell', { name, exact: true }).first()

export async function keys(page: Page, ...all: readonly string[]): Promise<void> {
  for (const key of all) await page.keyboard.press(key)
}
