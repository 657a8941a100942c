// How it meets everybody: accessible in light and dark, wide and narrow, and by keyboard alone.
import { describe, expect } from 'vitest'
import { axeComplaints } from '../harness/axe.ts'
import { withHarbour } from '../harness/browser.ts'
import { inEveryLook } from '../harness/looks.ts'
import type { WorkbenchPage } from '../harness/workbench-page.ts'

const test = withHarbour()

const sizes = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } } as const

/** Axe on the page as it is, in light and dark, wide and narrow. */
const complaints = ({ page }: WorkbenchPage) => inEveryLook(page, sizes, () => axeComplaints(page))

describe('axe finds nothing, light and dark, wide and narrow', () => {
  test('signing in', async ({ workbench }) => {
    await workbench.open()
    await workbench.signInForm.waitFor()
    expect(await complaints(workbench)).toEqual([])
  })

  test.for([
    '/data/log_entries',
    '/files/charts',
    '/functions',
    '/realtime/bridge',
    '/account',
    '/connections',
  ])('%s', async (path, { harbour, workbench }) => {
    await workbench.openAs(harbour.account('skipper'), path)
    await workbench.page.getByRole('heading', { level: 1 }).waitFor()
    expect(await complaints(workbench)).toEqual([])
  })

  test('the console', async ({ harbour, workbench }) => {
    await workbench.openAs(harbour.account('skipper'), '/data/vessels')
    await workbench.rows.first().waitFor()
    await workbench.openConsole()
    await workbench.console
      .getByRole('row', { name: /^session/ })
      .first()
      .waitFor()
    expect(await complaints(workbench)).toEqual([])
  })
})

test('by keyboard alone: sign in, reach a table, open the console, walk its log', async ({
  harbour,
  workbench,
}) => {
  const { page } = workbench
  const { email, password } = harbour.account('mate')
  await workbench.open('/data/vessels')
  await workbench.signInForm.waitFor()
  const focused = () =>
    page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.id)
  const tabTo = async (found: () => Promise<boolean>) => {
    for (let n = 0; n < 60 && !(await found()); n++) await page.keyboard.press('Tab')
    expect(await found(), `focus is on ${await focused()}`).toBe(true)
  }
  const hasFocus = (role: 'textbox' | 'button' | 'link', name: string) => () =>
    page
      .getByRole(role, { name, exact: true })
      .evaluateAll(all => all.includes(document.activeElement as HTMLElement))
  await tabTo(hasFocus('textbox', 'Email'))
  await page.keyboard.type(email)
  await tabTo(hasFocus('textbox', 'Password'))
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await workbench.rows.first().waitFor()
  await page.keyboard.press('Control+`')
  await workbench.console.waitFor()
  await workbench.console.getByRole('row', { name: /^session, authenticated/ }).waitFor()
  await page.keyboard.press('k')
  await workbench.console.getByText(/PAST/).first().waitFor()
  await page.keyboard.press('l')
  await workbench.console.getByText(/PAST/).first().waitFor({ state: 'detached' })
  await page.keyboard.press('Control+`')
  await workbench.console.waitFor({ state: 'detached' })
})
