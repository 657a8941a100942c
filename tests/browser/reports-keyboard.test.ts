// The demo's sample reports with the keyboard alone: from “I was signed out” to the failing test, and the other kinds.
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { startHarbour } from '../../scripts/harbour.ts'
import { demoReports } from '../../src/cli/start/demo/reports.ts'
import { axeComplaints } from '../harness/axe.ts'
import { CHEAP } from '../harness/backend.ts'
import { withBrowser } from '../harness/browser.ts'
import { folderForTests, runVitest } from '../harness/child-vitest.ts'
import { runCli } from '../harness/cli-process.ts'
import { atFileEnd } from '../harness/endings.ts'
import { WorkbenchPage } from '../harness/workbench-page.ts'

const test = withBrowser.extend('site', { scope: 'file' }, async () => {
  const backend = await startHarbour({
    port: 0,
    data: 'memory',
    auth: CHEAP,
    isBuilt: true,
    demoContent: demoReports(),
  })
  atFileEnd(() => backend.stop())
  return backend
})

/** Most keys from the first page to the copied command. */
const MOST_KEYS = 12

/** Presses keys, and fails if the focus is lost or not visible. */
function keyboardOf(page: Page) {
  let pressed = 0
  return {
    count: () => pressed,
    async press(key: string, focused?: RegExp) {
      pressed += 1
      await page.keyboard.press(key)
      if (focused) await expect.poll(() => focusOf(page)).toMatch(focused)
    },
  }
}

/** Name of the focused element, if its focus is visible. */
const focusOf = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement
    if (!element || element === document.body) return 'lost'
    if (!element.matches(':focus-visible')) return 'invisible'
    return element.getAttribute('aria-label') ?? element.textContent ?? ''
  })

test('from “I was signed out” to a failing test in at most 12 keys', async ({ browser, site }) => {
  const context = await browser.newContext({
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const workbench = new WorkbenchPage(await context.newPage(), site.url)
  const account = site.accounts.find(({ email }) => email.startsWith('skipper@'))
  if (!account) throw new Error('no skipper')
  await workbench.openAs(account, '/data')
  const { page, sections, console } = workbench
  await sections.getByRole('link', { name: /^Reports\s*4/ }).waitFor()

  const keys = keyboardOf(page)
  await keys.press('g')
  await keys.press('e', /^I was signed out while writing\./)
  await keys.press('Enter', /^Why\?$/)
  await keys.press('Enter')
  await console
    .getByText(/refused the refresh token, which was used already/)
    .first()
    .waitFor()
  expect(await focusOf(page)).toBe('Why?')
  await keys.press('Tab', /^Make a test$/)
  await keys.press('Enter', /^Copy command$/)
  await keys.press('Enter')
  await page.getByText('Copied').waitFor({ state: 'attached' })
  expect(keys.count()).toBeLessThanOrEqual(MOST_KEYS)
  expect(await axeComplaints(page)).toEqual([])

  const command = await page.evaluate(() => navigator.clipboard.readText())
  const folder = await folderForTests('reports-keyboard')
  onTestFinished(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'tests'))
  const [, words = ''] = command.split(' chartroom -- ')
  const args = words.split(' ').map(word => (word.startsWith('tests/') ? join(folder, word) : word))
  expect(await runCli(args, { SUPABASE_SECRET_KEY: site.secretKey })).toMatchObject({ code: 0, err: '' })
  const { output } = await runVitest(folder)
  expect(output).toMatch(/I was signed out while writing\./)
  expect(output).toMatch(/Tests +1 failed \(1\)/)
  await context.close()
}, 120_000)

test('the palette opens the reports, an error of the page and a cut file have no test, and a problem is reported', async ({
  browser,
  site,
}) => {
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  const workbench = new WorkbenchPage(await context.newPage(), site.url)
  const account = site.accounts.find(({ email }) => email.startsWith('skipper@'))
  if (!account) throw new Error('no skipper')
  await workbench.openAs(account, '/data')
  const { page, sections } = workbench
  await sections.getByRole('link', { name: /^Reports/ }).waitFor()
  // The tables of reports have their own page.
  expect(await sections.getByText(/chartroom_report/).count()).toBe(0)

  const run = async (words: string, name: RegExp) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill(words)
    await page.getByRole('option', { name }).first().waitFor()
    await page.keyboard.press('Enter')
  }
  await run('reports', /Reports/)
  const groups = page.getByRole('listbox', { name: 'Groups' })
  const testFor = async (name: RegExp) => {
    await groups.getByRole('option', { name }).click()
    await page.getByRole('heading', { level: 2, name }).waitFor()
    await page.getByRole('button', { name: 'Make a test' }).click()
  }
  await testFor(/^TypeError/)
  await page.getByText(/^No test: This is an error of the page’s own code/).waitFor()
  await testFor(/^Saving a log entry does nothing\./)
  await page.getByText(/^The recording is damaged \(.*truncated/).waitFor()
  await page.getByText(/^No test: What is left of the damaged recording/).waitFor()
  expect(await axeComplaints(page)).toEqual([])

  // Closing a group returns the focus to the list.
  await page.getByRole('button', { name: 'All groups' }).press('Enter')
  await expect.poll(() => focusOf(page)).toMatch(/^(?!lost)/)

  await run('report a problem', /Report a problem/)
  await page.getByLabel('What happened?').fill('The tide table is wrong. It is an hour late.')
  await page.getByRole('button', { name: 'Send report' }).click()
  await page.getByText('Report saved').waitFor()
  await expect
    .poll(async () => {
      await page.getByRole('button', { name: 'Refresh' }).click()
      return groups.getByRole('option', { name: /^The tide table is wrong\./ }).count()
    })
    .toBe(1)
  await context.close()
}, 120_000)
