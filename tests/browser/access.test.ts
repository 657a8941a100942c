// The access review: two accounts and the anonymous role, by keyboard, with what proves a cell, and its export.
import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { withHarbour } from '../harness/browser.ts'

const test = withHarbour()

test('what two accounts may do is reviewed, explained and exported', async ({ harbour, workbench }) => {
  const { page, watch } = workbench
  // Refused requests are what it looks for.
  watch.allow(/status of 40[01349]/)
  const [skipper, mate] = [harbour.account('skipper'), harbour.account('mate')]
  await workbench.openAs(skipper, '/access')
  await page.getByRole('button', { name: 'Add account' }).click()
  await workbench.submitSignIn(mate)
  await workbench.sections.waitFor()
  await workbench.open('/access')

  await page.getByRole('button', { name: 'Start review' }).click()
  await page.getByRole('button', { name: 'Review again' }).waitFor({ timeout: 120_000 })
  const matrix = page.getByRole('group', { name: /^Access by account/ })
  const group = (name: string) =>
    matrix.locator('tbody').filter({ hasText: new RegExp(`^${name}(?:table|bucket)`) })
  const line = async (name: string, operation: string) =>
    group(name)
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader', { name: operation, exact: true }) })
      .getByRole('button')
      .allTextContents()
  expect(await matrix.getByRole('columnheader').allTextContents()).toEqual([
    'Resource',
    'anonymous',
    skipper.email,
    mate.email,
  ])
  expect(await line('log_entries', 'select')).toEqual(['none', 'own', 'own'])
  expect(await line('log_entries', 'delete')).toEqual(['refused', 'own', 'own'])
  expect(await line('vessels', 'select')).toEqual(['none', 'all', 'all'])
  expect(await line('charts', 'read')).toEqual(['none', 'all', 'all'])
  expect(await line('charts', 'write')).toEqual(['none', 'own', 'own'])

  // The arrow keys move between cells, which are one tab stop.
  await matrix.getByRole('button').first().focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: `log_entries: select as ${skipper.email}` })
  await dialog.getByText(`own rows only (${skipper.email}`).waitFor()
  await dialog.getByText('id=1', { exact: true }).waitFor()
  await dialog.getByText(/policy "author's entries" on log_entries for all to authenticated using/).waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })

  await page.getByText('Only access beyond own rows').click()
  expect(await group('log_entries').count()).toBe(0)
  expect(await line('vessels', 'select')).toEqual(['none', 'all', 'all'])

  const saved = async (title: string) => {
    await page.getByRole('button', { name: 'Export' }).click()
    const downloading = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: title }).click()
    return readFile(await (await downloading).path(), 'utf8')
  }
  const snapshot = JSON.parse(await saved('Snapshot (JSON)')) as { readonly tables: Record<string, unknown> }
  expect(snapshot).toMatchObject({ format: 'chartroom-access', writes: true })
  expect(Object.keys(snapshot.tables)).toEqual(['log_entries', 'vessels', 'voyages'])
  expect(await saved('CSV')).toContain(`table,vessels,select,${mate.email},all,`)
  expect(await saved('Markdown')).toContain('| vessels | select | none | all | all |')
})

test('a backend that does not roll back is only read', async ({ harbour, workbench }) => {
  const { page, watch } = workbench
  watch.allow(/status of 40[01349]/)
  // As a hosted project answers.
  await page.route('**/rest/v1/**', async route => {
    const response = await route.fetch()
    const { 'preference-applied': _applied, ...headers } = response.headers()
    await route.fulfill({ response, headers })
  })
  await workbench.openAs(harbour.account('skipper'), '/access')
  await page.getByRole('button', { name: 'Start review' }).click()
  await page.getByRole('button', { name: 'Review again' }).waitFor({ timeout: 120_000 })
  await page.getByText('Reads only: this backend does not roll back writes, so none was tried.').waitFor()
  expect(await page.getByRole('button', { name: 'not tried' }).count()).toBeGreaterThan(10)
})
