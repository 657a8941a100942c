// The walk through a table: its rows, edits, conflicts, selections, and every tool of its toolbar.
import { signIn } from '../../screenshots/harbour.ts'
import type { Product } from '../product.ts'
import type { Stage } from '../stage.ts'
import { cell, keys, openTable, press } from './page.ts'

export async function table({ page, see }: Stage, product: Product): Promise<void> {
  const grid = page.getByRole('grid').first()
  const notSaved = page.getByRole('region', { name: 'Unsaved changes' })
  await see('first-page', async () => {
    await signIn(page, product.url, product.skipper)
    await grid.getByRole('row').nth(3).waitFor()
  })
  await press(page, 'Not now')
  await see('rows', () => openTable(page, product.url, 'log_entries'))
  await see('filter-form', async () => {
    await press(page, /^Filter$/)
    await page.getByRole('form', { name: 'Filter' }).waitFor()
  })
  await see('filtered', async () => {
    await page.getByRole('form', { name: 'Filter' }).getByLabel('Value').fill('39')
    await keys(page, 'Enter')
    await page.getByText('1 matching row').waitFor()
  })
  await see('no-match', async () => {
    await page.goto(`${product.url}/data/log_entries?filter=${encodeURIComponent('["id=eq.0"]')}`)
    await page
      .getByText(/^No rows match/)
      .first()
      .waitFor()
  })
  await see('not-found', async () => {
    await page.goto(`${product.url}/data/vesels`)
    await page.getByText('Table "vesels" not found').waitFor()
  })
  await see('row-panel', async () => {
    await openTable(page, product.url, 'log_entries')
    await grid.focus()
    await keys(page, 'ArrowDown', 'Space')
    await page.getByRole('complementary', { name: 'Row details' }).waitFor()
  })
  await see('column-menu', async () => {
    await page.getByRole('button', { name: 'Close details' }).click()
    await grid.focus()
    await keys(page, 'Control+Home', 'ArrowRight', 'ArrowRight', 'Alt+ArrowDown')
    await page.getByRole('menu').waitFor()
  })
  await see('cell-menu', async () => {
    await keys(page, 'Escape')
    await cell(page, 'W 3').click({ button: 'right' })
    await page.getByRole('menu').waitFor()
  })
  await see('new-row', async () => {
    await keys(page, 'Escape')
    await press(page, /^New row$/)
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(/^sea_state/).fill('rough')
    await dialog.getByRole('button', { name: 'Add row' }).click()
    await dialog.getByText('This must be a whole number.').first().waitFor()
  })
  await see('inline-row', async () => {
    await keys(page, 'Escape')
    await press(page, 'Add row inline')
    await page.getByRole('button', { name: 'Add this row' }).waitFor()
  })
  await see('foreign-key', async () => {
    await openTable(page, product.url, 'log_entries')
    await grid.focus()
    await keys(page, 'Control+Home', 'ArrowRight', 'Enter')
    await page.getByRole('option').first().waitFor()
  })
  await see('time-editor', async () => {
    await keys(page, 'Escape', 'ArrowRight', 'Enter')
    await page.getByRole('textbox', { name: 'at', exact: true }).waitFor()
  })
  await see('refused-edit', async () => {
    await keys(page, 'Escape')
    await grid.focus()
    await keys(page, 'Control+Home', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight')
    await page.keyboard.type('12')
    await keys(page, 'Enter')
    await notSaved.getByText('log_entries_sea_state_check').waitFor()
  })
  await see('conflict', async () => {
    await notSaved.getByRole('button', { name: 'Discard' }).first().click()
    await notSaved.waitFor({ state: 'detached' })
    const request = await product.requestsAs(product.skipper)
    await grid.focus()
    await keys(page, 'Control+Home', 'ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'F2')
    await page.getByRole('textbox', { name: 'wind' }).waitFor()
    await request('PATCH', '/rest/v1/log_entries?id=eq.39', { wind: 'THEIRS' })
    await page.getByRole('row').filter({ hasText: 'THEIRS' }).first().waitFor()
    await keys(page, 'Control+a')
    await page.keyboard.type('MINE')
    await keys(page, 'Enter')
    await notSaved.getByText('this cell changed since you loaded it').waitFor()
  })
  await see('selection', async () => {
    await notSaved.getByRole('button', { name: 'Use their value' }).click()
    await notSaved.waitFor({ state: 'detached' })
    await grid.focus()
    await keys(page, 'Control+Home', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight')
    await keys(page, 'Shift+ArrowDown', 'Shift+ArrowDown')
    await page.getByLabel('Numbers in sea_state').waitFor()
  })
  await see('cleared-cells', async () => {
    await keys(page, 'Delete')
    await page.getByText(/^Cleared 3 cells/).waitFor()
  })
  // The deletion is only pending for some seconds.
  await see(
    'deleting-rows',
    async () => {
      await keys(page, 'Control+z', 'Control+Home', 'Shift+Space', 'Control+Delete')
      await page
        .getByText(/^Deleting /)
        .first()
        .waitFor()
    },
    { sizes: ['wide'], themes: ['light'] },
  )
}

const PROBLEMS = 'voyage,wind,sea state,note\n1,SW 5,3,fine\n1,NW 2,rough,never\n1,N 9,12,too high\n'

export async function tools({ page, see }: Stage, product: Product): Promise<void> {
  const dialog = page.getByRole('dialog')
  await signIn(page, product.url, product.skipper)
  await press(page, 'Not now')
  await see('import', async () => {
    await openTable(page, product.url, 'log_entries')
    await press(page, /^Import$/)
    await dialog.getByLabel('Or paste rows').waitFor()
  })
  await see('import-problems', async () => {
    await dialog.getByLabel('Or paste rows').fill(PROBLEMS)
    await dialog.getByRole('button', { name: 'Read pasted rows' }).click()
    await dialog.getByText('1 row can’t be imported').waitFor()
  })
  await see('import-result', async () => {
    await dialog.getByRole('button', { name: 'Import 2 rows' }).click()
    await dialog.getByText('1 written · 1 failed · 1 skipped (invalid)').waitFor()
  })
  await keys(page, 'Escape')
  await see('structure', async () => {
    await press(page, /^Structure$/)
    await dialog.getByRole('row').nth(3).waitFor()
  })
  await keys(page, 'Escape')
  await see('export', async () => {
    await press(page, /^Export$/)
    await dialog.getByRole('radio').first().waitFor()
  })
  await keys(page, 'Escape')
  await see('saved-queries', async () => {
    await press(page, /^Saved queries$/)
    await dialog.getByRole('textbox').fill('All entries')
    await keys(page, 'Enter')
    await dialog.getByRole('button', { name: 'All entries', exact: true }).waitFor()
  })
  await keys(page, 'Escape')
  await see(
    'copy-as',
    async () => {
      await press(page, /^Copy as/)
      await page.getByRole('menu').waitFor()
    },
    { sizes: ['wide'] },
  )
  await keys(page, 'Escape')
  await see(
    'tools-phone',
    async () => {
      await press(page, /^Tools$/)
      await page.getByRole('menu').waitFor()
    },
    { sizes: ['phone'] },
  )
  await keys(page, 'Escape')
  await see('seen-by', async () => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await press(page, /^Seen by/)
    await dialog.getByText('hidden', { exact: true }).first().waitFor()
  })
  await keys(page, 'Escape')
  await see('database-function', async () => {
    await page.goto(`${product.url}/rpc/passages`)
    const form = page.getByRole('form', { name: 'Call passages' })
    await form.getByRole('textbox', { name: 'vessel' }).fill('1')
    await form.getByRole('button', { name: 'Call' }).click()
    await page.getByRole('region', { name: 'Response' }).getByRole('cell').first().waitFor()
  })
}

export async function access({ page, see }: Stage, product: Product): Promise<void> {
  await signIn(page, product.url, product.skipper)
  await press(page, 'Not now')
  await see('start', async () => {
    await page.goto(`${product.url}/access`)
    await page.getByRole('button', { name: 'Start review' }).waitFor()
  })
  await see('matrix', async () => {
    await press(page, 'Start review')
    await page.getByRole('button', { name: 'Review again' }).waitFor({ timeout: 120_000 })
  })
  await see('proof', async () => {
    const matrix = page.getByRole('group', { name: /^Access by account/ })
    await matrix.getByRole('button').nth(1).click()
    await page.getByRole('dialog').waitFor()
  })
}
