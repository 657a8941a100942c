// The SQL page: cancellation, drafts, history and saved queries.
import { expect } from 'vitest'
import { withHarbour } from '../harness/browser.ts'

/** PGlite would keep the process of the tests busy while a statement runs. */
const test = withHarbour({ engine: 'postgres' })

/** What Chromium itself reports for a request that is aborted. */
const ABORTED = [/ERR_ABORTED/, /Failed to load resource/]

test('a script is canceled, the draft and the history stay, and queries are saved', async ({
  harbour,
  workbench,
}) => {
  const { page, watch } = workbench
  watch.allow(...ABORTED)
  await workbench.openAs(harbour.account('skipper'), '/sql')
  const editor = page.getByRole('textbox', { name: 'SQL script' })
  await editor.fill('select pg_sleep(1000)')
  await page.keyboard.press('Control+Enter')
  await page.getByText(/^Running for/).waitFor()
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await page.getByText(/^Canceled\./).waitFor()
  await page.getByText('canceling statement due to user request').waitFor()
  const history = page.getByRole('region', { name: 'History' })
  await history.getByText('canceled').waitFor()

  await page.getByRole('button', { name: 'Saved queries' }).click()
  const dialog = page.getByRole('dialog', { name: 'Saved queries' })
  await dialog.getByRole('textbox', { name: 'Name for the current script' }).fill('Long sleep')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByRole('button', { name: /^Long sleep/ }).waitFor()
  await page.keyboard.press('Escape')
  await editor.fill('select 42 -- a draft')
  await page.reload()
  await expect.poll(() => editor.textContent()).toBe('select 42 -- a draft')
  await history
    .getByRole('button', { name: /pg_sleep/ })
    .first()
    .click()
  await expect.poll(() => editor.textContent()).toBe('select pg_sleep(1000)')
  await page.getByRole('button', { name: 'Restore script' }).click()
  await expect.poll(() => editor.textContent()).toBe('select 42 -- a draft')
})
