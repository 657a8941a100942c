// The whole workbench by keyboard alone.
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { withHarbour } from '../harness/browser.ts'
import type { Credentials } from '../harness/workbench-page.ts'

const test = withHarbour()

/** What a user without a mouse does: presses Tab until the element has the focus, and types. */
function byKeys(page: Page) {
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  const isOn = (found: Locator) => found.evaluateAll(all => all.some(one => one === document.activeElement))
  const focused = () => page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200))
  const tabTo = async (found: Locator, key = 'Tab') => {
    await found.first().waitFor()
    for (let n = 0; n < 60 && !(await isOn(found)); n++) await press(key)
    expect(await isOn(found), `focus is on ${await focused()}`).toBe(true)
  }
  /** A single key, pressed when something has the focus. */
  const on = async (found: Locator, key = 'Enter') => {
    await tabTo(found)
    await press(key)
  }
  const write = async (found: Locator, text: string) => {
    await tabTo(found)
    await page.keyboard.insertText(text)
  }
  return { press, tabTo, on, write, isOn }
}

test('by keyboard alone: sign in, use every section and a second account, sign out', async ({
  harbour,
  workbench,
}) => {
  const { page } = workbench
  const { press, tabTo, on, write, isOn } = byKeys(page)
  const field = (name: string) => page.getByRole('textbox', { name, exact: true })
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
  const signIn = async ({ email, password }: Credentials) => {
    await workbench.signInForm.waitFor()
    await write(field('Email'), email)
    await write(field('Password'), password)
    await press('Enter')
    await workbench.sections.waitFor()
  }

  await workbench.open('/data/vessels')
  await signIn(harbour.account('mate'))
  await workbench.rows.first().waitFor()

  // A table is found by its name, and a row in it by a filter, past bar and sections.
  await press('Control+k')
  await page.getByRole('combobox', { name: 'Command palette' }).waitFor()
  await page.keyboard.insertText('log_ent')
  await page.getByRole('option', { name: /log_entries/, selected: true }).waitFor()
  await press('Enter')
  await page.getByRole('grid', { name: 'Rows of log_entries' }).waitFor()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await on(page.getByRole('link', { name: 'Skip to the page' }))
  await on(button('Filter'))
  await write(field('Value'), '60')
  await press('Enter')
  await expect.poll(() => workbench.rows.count()).toBe(1)

  // It is edited; the menu of a column returns the focus.
  const grid = page.getByRole('grid')
  await tabTo(grid)
  await press('Control+Home', 'End', 'ArrowLeft', 'ArrowLeft', 'Alt+ArrowDown')
  await page.getByRole('menu', { name: 'note column menu' }).waitFor()
  await press('Escape')
  await expect.poll(() => isOn(grid)).toBe(true)
  await press('F2')
  await field('note').waitFor()
  await press('Control+a')
  await page.keyboard.insertText('By keys alone')
  await press('Control+Enter')
  await workbench.row('By keys alone').waitFor()
  await expect.poll(() => isOn(grid)).toBe(true)

  // A file is uploaded, and the navigation shortcuts work wherever no text is typed.
  await tabTo(button('New row'), 'Shift+Tab')
  await press('g', 'f')
  await page.getByRole('heading', { level: 1, name: /charts/ }).waitFor()
  await on(page.getByRole('link', { name: 'My files' }))
  await page.getByRole('heading', { level: 1, name: /My files/ }).waitFor()
  const choosing = page.waitForEvent('filechooser')
  await on(button('Upload').first())
  await (await choosing).setFiles({ name: 'keys.txt', mimeType: 'text/plain', buffer: Buffer.from('up') })
  const file = page.getByRole('row', { name: 'keys.txt', exact: true })
  await file.waitFor()

  await press('g', 'u')
  await on(page.getByRole('form', { name: 'Request' }).getByRole('button', { name: 'Call', exact: true }))
  await page.getByRole('region', { name: 'Response' }).getByText('200 OK', { exact: true }).waitFor()

  await press('g', 'r')
  await on(button('Join bridge'))
  await workbench.present('mate').waitFor()
  await write(field('Message'), 'No mouse on board')
  await press('Enter')
  await workbench.message('No mouse on board').waitFor()

  await press('Control+`')
  await workbench.console.waitFor()
  await workbench.showActors()
  await workbench.console.getByRole('row', { name: /^session, authenticated/ }).waitFor()
  await press('k')
  await workbench.console
    .getByText(/\(not (live|at end)\)/)
    .first()
    .waitFor()
  await press('l')
  await workbench.console
    .getByText(/\(not (live|at end)\)/)
    .first()
    .waitFor({ state: 'detached' })
  await press('Control+`')
  await workbench.console.waitFor({ state: 'detached' })

  // Another account is added to this one, and removed again.
  await on(button(/^Backend and account/))
  await page.getByRole('menu', { name: 'Backends and accounts' }).waitFor()
  await page.keyboard.type('Sign in')
  await press('Enter')
  await signIn(harbour.account('skipper'))
  await on(button(/^Backend and account.*skipper/))
  await page.getByRole('menuitemradio', { name: 'skipper@harbour.test', checked: true }).waitFor()
  await page.keyboard.type('mate')
  await press('Enter')
  await button(/^Backend and account.*mate/).waitFor()
  await tabTo(page.getByRole('link', { name: 'Account', exact: true }))
  await press('Enter')
  await on(button('Sign out'))
  await page.getByText('Signed out.', { exact: true }).waitFor()
})
