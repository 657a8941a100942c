// Checks in the console: assertions that fail, coverage, verification by replay, and exports.
import { expect } from 'vitest'
import { otherwise } from '../harness/changed-trace.ts'
import { atWork } from '../harness/recorded-session.ts'
import { withViewer } from '../harness/viewer-page.ts'

const test = withViewer

const ASSERTIONS = JSON.stringify([
  {
    name: 'never signs in',
    check: { never: { src: 'session', entered: 'authenticated' }, says: 'A user signed in.' },
  },
])

test('checks, coverage, replay and export of a run', async ({ viewer }) => {
  const { page, console } = viewer
  await viewer.open(atWork())
  const tab = (name: string | RegExp) => console.getByRole('tab', { name })
  const button = (name: string | RegExp) => console.getByRole('button', { name })
  const show = async (name: string | RegExp) => {
    await tab(name).click()
    await expect.poll(() => tab(name).getAttribute('aria-selected')).toBe('true')
  }

  // The client's invariants pass without any setup.
  await show(/^Checks/)
  await console.getByText('All checks pass').waitFor()
  const checks = console.getByRole('listbox', { name: 'Checks' })
  await expect.poll(() => checks.getByRole('option').count()).toBe(6)

  // A user assertion: shows syntax errors, then where it failed.
  await button('Add assertions').press('Enter')
  const text = console.getByRole('textbox', { name: 'Assertions as JSON' })
  await expect.poll(() => text.evaluate(element => element === document.activeElement)).toBe(true)
  await text.fill(ASSERTIONS.replace('"never"', '"nevr"'))
  await console.getByText('$[0].check.nevr is not allowed in a formula; did you mean "never"?').waitFor()
  await text.fill(ASSERTIONS)
  await button('Run 1 check').press('Enter')
  await console.getByText('1 of 7 failed, 1 time').waitFor()
  await button('1 failure: show checks').waitFor()
  const failures = console.getByRole('region', { name: 'Failures' })
  await failures.getByRole('button', { name: 'Show cause' }).press('Enter')
  await console.getByText(/event \d+ of \d+ \(not at end\)/).waitFor()
  await expect
    .poll(() => console.getByRole('tab', { name: 'Cause' }).getAttribute('aria-selected'))
    .toBe('true')

  // The shortest run that still fails, opened as a file.
  await button('Shortest run…').press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Shortest run that still fails' })
  await dialog.getByRole('button', { name: 'Search' }).press('Enter')
  await dialog.getByText(/^\d+ of \d+ inputs$/).waitFor()
  await expect.poll(() => dialog.getByRole('listitem').count()).toBeLessThan(8)
  // The pressed button is gone; its result is shown again.
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await button('Shortest run…').press('Enter')
  await dialog.getByRole('button', { name: 'Open', exact: true }).press('Enter')
  await console
    .getByText(/-shortest\.trace\.gz/)
    .first()
    .waitFor()
  await console.getByText('1 of 7 failed, 1 time').waitFor()

  // The replay is identical.
  await show('Replay')
  await button('Verify by replay').press('Enter')
  await console.getByText('Identical', { exact: true }).waitFor()

  // Coverage of the machines, sorted; missing parts are named.
  await show('Coverage')
  const table = console.getByRole('table', { name: 'Coverage' })
  await table.getByRole('button', { name: 'states' }).press('Enter')
  await expect
    .poll(() => table.getByRole('columnheader', { name: 'states' }).getAttribute('aria-sort'))
    .toBe('ascending')
  await table.getByRole('button', { name: 'session', exact: true }).press('Enter')
  await table
    .getByRole('list', { name: 'States of session never reached' })
    .getByText('signingOut')
    .first()
    .waitFor()
  await table.getByRole('button', { name: 'Show coverage on the chart of session' }).press('Enter')
  await expect.poll(() => new URL(page.url()).search).toContain('heat')

  // As steps, and as a test that can be read before saving.
  await show('Export')
  await button('Create test').press('Enter')
  await expect
    .poll(() => console.getByRole('textbox', { name: 'test', exact: true }).inputValue())
    .toContain("systems['chartroom']")
  await console.getByRole('tab', { name: 'File' }).click()
  await console.getByRole('radio', { name: /^SCXML/ }).press('Space')
  const saved = page.waitForEvent('download')
  await button(/^Save .*\.scxml$/).press('Enter')
  expect((await saved).suggestedFilename()).toMatch(/\.scxml$/)

  // A diverged run: both runs side by side, and the differences.
  const buffer = otherwise('tests/traces/session-af32746f9a2a69bd.jsonl.gz', 'session.started')
  await console
    .getByLabel('Trace file', { exact: true })
    .setInputFiles({ name: 'other.trace.gz', mimeType: 'application/gzip', buffer })
  await console.getByText('other.trace.gz').first().waitFor()
  await show('Replay')
  await button('Verify by replay').press('Enter')
  await console.getByRole('heading', { name: /^First difference at event \d+/ }).waitFor()
  const runs = console.getByRole('grid', { name: 'Both runs' })
  await runs.focus()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => runs.getByRole('row', { selected: true }).innerText()).toContain('elsewhere')
})
