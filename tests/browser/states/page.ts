// How the states use a page: by role and by name.
import type { Locator, Page } from 'playwright-core'
import type { Account, Product } from './state.ts'

export const DIALOG = '[role=dialog], [role=alertdialog]'
export const MENU = '[role=menu]'
export const MAIN = 'main'

export const press = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('button', { name }).first().click()

export const sections = (page: Page): Locator => page.getByRole('navigation', { name: 'Sections' })

/** Opens a section through the section list. */
export async function goTo(page: Page, section: string): Promise<void> {
  await sections(page)
    .getByRole('link', { name: new RegExp(`^${section}( \\d+)?$`) })
    .click()
  await page.getByRole('heading', { level: 1 }).waitFor()
}

/** Signs in, and declines the tour. */
export async function enter(page: Page, product: Product, account: Account, path?: string): Promise<void> {
  await product.signIn(page, account, path)
  await press(page, 'Not now')
}

/** Opens another page of the running app, which is not loaded again. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.evaluate(to => history.pushState({}, '', to), path)
  await page.getByRole('heading', { level: 1 }).waitFor()
}

/** As few rows as a state needs: axe looks at each cell. */
export const FEW = `?filter=${encodeURIComponent('["id=gte.36"]')}`

/** Waits until the rows of a table are live. */
export async function openTable(page: Page, table: string, search = ''): Promise<void> {
  await visit(page, `/data/${table}${search}`)
  await page
    .getByRole('grid', { name: `Rows of ${table}` })
    .getByRole('row')
    .nth(3)
    .waitFor()
  await page.getByRole('main').getByText('live', { exact: true }).waitFor()
}

export const cell = (page: Page, name: string): Locator =>
  page.getByRole('gridcell', { name, exact: true }).first()

export async function keys(page: Page, ...all: readonly string[]): Promise<void> {
  for (const key of all) await page.keyboard.press(key)
}

/** Closes the dialog or menu on top. */
export const escape = (page: Page) => async (): Promise<void> => {
  await page.keyboard.press('Escape')
  await page.locator(`${DIALOG}, ${MENU}`).first().waitFor({ state: 'detached' })
}
