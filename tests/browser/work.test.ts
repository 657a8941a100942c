// A day's work: a new account, a row edit, a file upload and download, a function call, forms that are left.
import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { withHarbour } from '../harness/browser.ts'

const test = withHarbour()

test('an account is created after a failed sign-in, sees no rows, signs out and in again', async ({
  harbour,
  workbench,
}) => {
  const { page, watch } = workbench
  watch.allow(/Failed to load resource/)
  const account = { email: 'cook@harbour.test', password: 'galley-demo-1' }
  const form = page.getByRole('form', { name: 'Sign up' })
  const signUp = async () => {
    await form.getByLabel('Email').fill(account.email)
    await form.getByLabel('Password', { exact: true }).fill(account.password)
    await form.getByRole('button', { name: 'Create account' }).click()
  }

  // The failure is not shown at the new account.
  await workbench.open('/data/log_entries')
  await workbench.submitSignIn({ ...harbour.account('mate'), password: 'wrong' })
  await workbench.signInForm.getByRole('alert').waitFor()
  await page.getByRole('button', { name: 'Create an account' }).click()
  await form.waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)

  // An emailed link is expected, and there is a way back to signing in.
  const awaited = { id: '8c2b1d4e-0000-4000-8000-000000000001', aud: 'authenticated', email: account.email }
  await page.route('**/auth/v1/signup*', route => route.fulfill({ json: awaited }), { times: 1 })
  await signUp()
  await page.getByText(`We sent a link to ${account.email}`).waitFor()
  await page.getByRole('button', { name: 'Sign in' }).click()
  expect(await workbench.signInForm.getByLabel('Email').inputValue()).toBe(account.email)

  await page.getByRole('button', { name: 'Create an account' }).click()
  await signUp()
  await workbench.sections.waitFor()
  await workbench.liveMark.waitFor()
  await page.getByText('No rows visible to you').waitFor()
  await workbench.goTo('Account')
  const everywhere = page.getByRole('button', { name: 'Sign out everywhere' })
  const question = page.getByRole('alertdialog', { name: 'Sign out everywhere?' })
  await everywhere.click()
  await question.getByText(account.email).waitFor()
  await question.getByRole('button', { name: 'Stay signed in' }).click()
  await everywhere.click()
  await question.getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.getByText('Signed out everywhere.', { exact: true }).waitFor()
  await workbench.submitSignIn(account)
  await workbench.sections.waitFor()
})

test('a row is edited, a file is uploaded, downloaded byte for byte and deleted, a function is called', async ({
  harbour,
  workbench,
}) => {
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

  const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, n) => (n * 7) % 256))
  await workbench.goTo('Files')
  await page.getByRole('link', { name: 'My files' }).click()
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

  await workbench.goTo('Functions')
  const form = page.getByRole('form', { name: 'Request' })
  await form.getByLabel('Function', { exact: true }).fill('tide')
  await form.getByRole('button', { name: 'Call' }).click()
  const answer = page.getByRole('region', { name: 'Response' })
  // The tide may be 200, too.
  await answer
    .getByText(/^200\b/)
    .first()
    .waitFor()
  await answer.getByText('"height"').first().waitFor()
})

test('a row form keeps typed text when the user clicks outside; a late rejection leaves another form open', async ({
  harbour,
  workbench,
}) => {
  const { page, watch } = workbench
  watch.allow(/Failed to load resource/)
  await workbench.openAs(harbour.account('skipper'), '/data/vessels')
  await workbench.rows.first().waitFor()
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  await page.route('**/rest/v1/vessels*', async route => {
    if (route.request().method() !== 'POST') return route.continue()
    await answered
    await route.fulfill({ status: 400, json: { code: 'P0001', message: 'Too many vessels.' } })
  })
  const dialog = page.getByRole('dialog')
  const name = dialog.getByLabel(/^name\b/)
  await page.getByRole('button', { name: 'New row', exact: true }).click()
  await name.fill('Late')
  await page.mouse.click(5, 5)
  expect(await name.inputValue()).toBe('Late')
  await dialog.getByRole('button', { name: 'Add row' }).click()
  // The form was closed before the response.
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'New row', exact: true }).click()
  await dialog.waitFor()
  answer()
  await page.getByText('Too many vessels.').waitFor()
  expect(await dialog.isVisible()).toBe(true)
})
