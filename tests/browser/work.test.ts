// A day's work: an account of one's own, a row edited, a file up and down again, a function called.
import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { withHarbour } from '../harness/browser.ts'

const test = withHarbour()

test('an account is made, sees no rows of others, signs out and in again', async ({ workbench }) => {
  const { page } = workbench
  const account = { email: 'cook@harbour.test', password: 'galley-demo-1' }
  await workbench.open('/data/log_entries')
  await page.getByRole('button', { name: 'Create an account' }).click()
  const form = page.getByRole('form', { name: 'Sign up' })
  await form.getByLabel('Email').fill(account.email)
  await form.getByLabel('Password', { exact: true }).fill(account.password)
  await form.getByRole('button', { name: 'Create account' }).click()
  await workbench.sections.waitFor()
  await workbench.liveMark.waitFor()
  await page.getByText('No rows that you may see').waitFor()
  await workbench.goTo('Account')
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.getByText('You signed out.').waitFor()
  await workbench.submitSignIn(account)
  await workbench.sections.waitFor()
})

test('a row is edited in place', async ({ harbour, workbench }) => {
  const { page } = workbench
  await workbench.openAs(harbour.account('skipper'), '/data/log_entries')
  await workbench.liveMark.waitFor()
  await page
    .getByRole('button', { name: /^Edit \d/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/^note\b/).fill('Corrected at noon')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await workbench.row('Corrected at noon').waitFor()
  await page.reload()
  await workbench.row('Corrected at noon').waitFor()
})

test('a file goes up, comes down the same to the byte, and is deleted', async ({ harbour, workbench }) => {
  const { page } = workbench
  const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, n) => (n * 7) % 256))
  await workbench.openAs(harbour.account('skipper'), '/files/charts')
  await page.getByRole('link', { name: 'My folder' }).click()
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
  await (
    await choosing
  ).setFiles({ name: 'soundings.bin', mimeType: 'application/octet-stream', buffer: bytes })
  const row = page.getByRole('grid').getByRole('row').filter({ hasText: 'soundings.bin' })
  await row.waitFor()
  const downloading = page.waitForEvent('download')
  await row.getByRole('button', { name: 'Download soundings.bin' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('soundings.bin')
  expect((await readFile(await download.path())).equals(bytes)).toBe(true)
  await row.getByRole('button', { name: 'Delete soundings.bin' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await row.waitFor({ state: 'detached' })
})

test('a function is called and its answer shown', async ({ harbour, workbench }) => {
  const { page } = workbench
  await workbench.openAs(harbour.account('mate'), '/functions')
  const form = page.getByRole('form', { name: 'Request' })
  await form.getByLabel('Function', { exact: true }).fill('tide')
  await form.getByRole('button', { name: 'Call' }).click()
  const answer = page.getByRole('region', { name: 'Answer' })
  await answer.getByText('200').waitFor()
  await answer.getByText('"height"').first().waitFor()
})
