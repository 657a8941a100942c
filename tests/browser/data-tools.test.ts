// The tools of a table, on one page: import and export, saved queries, "Seen by…", functions, requests.
import { readFile } from 'node:fs/promises'
import type { Download, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { withHarbour } from '../harness/browser.ts'

const test = withHarbour()

const textOf = async (download: Download): Promise<string> => readFile(await download.path(), 'utf8')

async function downloaded(page: Page, button: Locator): Promise<Download> {
  const downloading = page.waitForEvent('download')
  await button.click()
  return downloading
}

/** Opens a tool by the keyboard alone. */
async function openTool(page: Page, name: string): Promise<Locator> {
  await page.getByRole('button', { name, exact: true }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  return dialog
}

/**
 * A number beyond JavaScript's, a formula, markup, right-to-left text; one row is invalid, one is rejected.
 */
const ROWS = `voyage,wind,sea state,note,extra
1,SW 5,3,=1+1,"{""key"":9007199254740993}"
1,NW 2,rough,never,
1,N 9,12,too high,
1,,,<b>قارب</b>,
`

test('rows are imported, exported and compared, and link to their requests', async ({
  harbour,
  workbench,
}) => {
  const { page, watch } = workbench
  watch.allow(/status of 40[09]/, /ERR_CONNECTION|ERR_FAILED|Failed to load resource/)
  await workbench.openAs(harbour.account('skipper'), '/data/log_entries')
  await workbench.liveMark.waitFor()

  // The structure has every column; a link opens the referenced table.
  let dialog = await openTool(page, 'Structure')
  const row = (name: string) => dialog.getByRole('row', { name: new RegExp(`^${name} `) })
  expect(await row('id').innerText()).toMatch(/bigint\s+no\s+.*primary key/s)
  expect(await row('voyage').innerText()).toContain('voyages.id')
  await page.keyboard.press('Escape')

  // Import: errors are shown before and after, and can be downloaded.
  dialog = await openTool(page, 'Import')
  await dialog.getByLabel('Or paste rows').fill(ROWS)
  await dialog.getByRole('button', { name: 'Read pasted rows' }).click()
  await dialog.getByText('1 row can’t be imported').waitFor()
  await dialog.getByRole('button', { name: 'Import 3 rows' }).click()
  await dialog.getByText('2 written · 1 failed · 1 skipped (invalid)').waitFor()
  const failed = await downloaded(page, dialog.getByRole('button', { name: 'Download these 2 rows' }))
  const lines = (await textOf(failed)).split('\r\n')
  expect(lines.map(line => line.split(',').slice(0, 4))).toEqual([
    ['voyage', 'wind', 'sea state', 'note'],
    ['1', 'NW 2', 'rough', 'never'],
    ['1', 'N 9', '12', 'too high'],
    [''],
  ])
  expect(lines[1]).toMatch(/sea_state: This must be a whole number\./)
  expect(lines[2]).toMatch(/sea_state_check/)

  // No response: the user is asked, and no row is in the table twice.
  await dialog.getByRole('button', { name: 'Import another file' }).click()
  await page.route('**/rest/v1/log_entries?*', route => route.abort(), { times: 1 })
  await dialog.getByLabel('Or paste rows').fill('note\nonly once\n')
  await dialog.getByRole('button', { name: 'Read pasted rows' }).click()
  await dialog.getByRole('button', { name: 'Import 1 row' }).click()
  await dialog.getByRole('button', { name: 'Send again' }).click()
  await dialog.getByText('All 1 row imported').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await workbench.row('only once').waitFor()

  // Export: exactly, with every digit.
  dialog = await openTool(page, 'Export')
  await dialog.getByRole('radio', { name: /^CSV for spreadsheets/ }).focus()
  await page.keyboard.press('ArrowDown')
  const csv = await textOf(
    await downloaded(page, dialog.getByRole('button', { name: 'Export', exact: true })),
  )
  expect(csv.match(/,=1\+1,.*/)?.[0]).toMatch(/^,=1\+1,"\{""key"":\s?9007199254740993\}",/)
  expect(csv.match(/,<b>قارب<\/b>,/)).toHaveLength(1)
  expect(csv.match(/,only once,/)).toHaveLength(1)
  await dialog.getByText('The file is in your downloads.').waitFor()
  await page.keyboard.press('Escape')
})

test('queries are saved, compared between accounts, and copied', async ({ harbour, workbench }) => {
  const { page } = workbench
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await workbench.openAs(harbour.account('mate'), '/data/vessels?sort=name.desc')
  await workbench.liveMark.waitFor()
  let dialog = await openTool(page, 'Saved queries')
  await dialog.getByRole('textbox').fill('From Z to A')
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'From Z to A', exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await workbench.open('/data/log_entries')
  await workbench.liveMark.waitFor()
  dialog = await openTool(page, 'Saved queries')
  await dialog.getByRole('button', { name: 'From Z to A', exact: true }).click()
  await page.waitForURL(
    url => url.pathname === '/data/vessels' && /name\.desc/.test(decodeURIComponent(url.search)),
  )

  // A text in any column, and an alternative to it; both are in the address.
  await page.getByRole('textbox', { name: 'Find in any column' }).fill('marigold')
  await page.keyboard.press('Enter')
  await page.getByText('1 matching row').waitFor()
  const filters = page.getByRole('list', { name: 'Filters' })
  await filters.getByRole('button', { name: /^“marigold” in \d columns$/ }).click()
  const form = page.getByRole('form', { name: 'Filter' })
  await form.getByRole('button', { name: 'Or…' }).click()
  await form.getByRole('textbox', { name: 'Value' }).fill('cutter')
  await form.getByRole('button', { name: 'Change filter' }).click()
  await page.getByText('2 matching rows').waitFor()
  await page.reload()
  await page.getByText('2 matching rows').waitFor()
  await filters.getByRole('button', { name: /^Remove filter/ }).click()
  await workbench.liveMark.waitFor()

  dialog = await openTool(page, 'Seen by…')
  await dialog.getByRole('region', { name: 'Seen by Anonymous' }).getByText('hidden').first().waitFor()
  await dialog.getByText(/^(\d+) rows differ of \1 compared$/).waitFor()
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Copy as' }).click()
  await page.getByRole('menuitem', { name: 'supabase-js' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  const code = await page.evaluate(() => navigator.clipboard.readText())
  expect(code).toMatch(
    /^const \{ data, error \} = await supabase\.from\('vessels'\)[\s\S]*\.order\('name', \{ ascending: false \}\)/,
  )

  // A cell's menu filters by its value; a missing table is not shown as an empty one.
  await page.getByRole('gridcell', { name: 'Marigold' }).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Filter: = Marigold' }).click()
  await page.getByRole('button', { name: 'Remove filter name is Marigold' }).waitFor()
  await workbench.open('/data/vesels')
  await page.getByText('Table "vesels" not found').waitFor()
  expect(await page.getByRole('button', { name: 'New row' }).count()).toBe(0)
  await page.getByRole('navigation', { name: 'Did you mean' }).getByRole('link').click()
  await page.getByRole('grid', { name: 'Rows of vessels' }).waitFor()
})

test('a database function is called from its form, and its request is shown in the console', async ({
  harbour,
  workbench,
}) => {
  const { page } = workbench
  await workbench.openAs(harbour.account('skipper'), '/rpc')
  await page.getByRole('link', { name: /^passages/ }).click()
  // Narrow windows have no separate entry for functions.
  await page.locator('nav[aria-label="Sections"] a[href$="/data"][data-on]').waitFor()
  const form = page.getByRole('form', { name: 'Call passages' })
  await form.getByRole('textbox', { name: 'vessel' }).fill('one')
  await form.getByRole('button', { name: 'Call' }).click()
  await form.getByText('This must be a whole number.').waitFor()
  await form.getByRole('textbox', { name: 'vessel' }).fill('1')
  await form.getByRole('button', { name: 'Call' }).click()
  const answer = page.getByRole('region', { name: 'Response' })
  await answer.getByRole('cell', { name: 'Kittiwake' }).first().waitFor()
  await answer.getByRole('button', { name: 'Show request' }).click()
  const chosen = workbench.console.getByRole('region', { name: 'Selected request' })
  const call = chosen.filter({ hasText: '/rest/v1/rpc/passages' })
  await call.getByRole('region', { name: 'Query parameters' }).getByText('vessel', { exact: true }).waitFor()
})

test('an import, and a deletion of rows on several pages, are undone whole', async ({
  harbour,
  workbench,
}) => {
  const { page } = workbench
  await workbench.openAs(harbour.account('skipper'), '/data/log_entries')
  await workbench.liveMark.waitFor()
  const counted = page.getByRole('main').getByText(/^[\d,]+ rows/)
  const count = async () => /^[\d,]+/.exec((await counted.first().textContent()) ?? '')?.[0]
  const before = await count()
  const importRows = async (text: string, rows: number) => {
    const dialog = await openTool(page, 'Import')
    await dialog.getByLabel('Or paste rows').fill(text)
    await dialog.getByRole('button', { name: 'Read pasted rows' }).click()
    await dialog.getByRole('button', { name: `Import ${rows} rows` }).click()
    await dialog.getByText(`All ${rows} rows imported`).waitFor()
    return dialog
  }
  const bulk = Array.from({ length: 250 }, (_, at) => `1,bulk ${at}`)
  const dialog = await importRows(['voyage,note', ...bulk].join('\n'), 250)
  await dialog.getByRole('button', { name: 'Close' }).last().click()

  await workbench.rows.first().getByRole('gridcell').nth(1).click()
  const selected = async () => {
    const bar = page.getByText(/^\d+ cells in \d+ rows selected$/)
    return (await bar.isVisible()) ? Number(/in (\d+) rows/.exec((await bar.textContent()) ?? '')?.[1]) : 0
  }
  // A page of rows is a hundred.
  for (let presses = 0; presses < 60 && (await selected()) < 150; presses++) {
    await page.keyboard.press('Shift+PageDown')
    await page.waitForLoadState('networkidle')
  }
  const many = await selected()
  expect(many).toBeGreaterThanOrEqual(150)
  await page.getByRole('button', { name: 'Delete rows' }).click()
  const deleting = page.getByText(`Deleting ${many} rows of log_entries`)
  await deleting.waitFor()
  await workbench.undo.click()
  await deleting.waitFor({ state: 'detached' })
  expect(await count()).not.toBe(before)
  // The focus returns from a notice to where it was.
  const grid = page.getByRole('grid', { name: 'Rows of log_entries' })
  await expect.poll(() => grid.evaluate(one => one.contains(document.activeElement))).toBe(true)

  // Ctrl+Z undoes the import itself; the notice cancels that, and the dialog undoes it for good.
  await workbench.rows.first().getByRole('gridcell').nth(1).click()
  await page.keyboard.press('Control+z')
  const undoing = page.getByText('Undoing import: deleting 250 rows of log_entries')
  await undoing.waitFor()
  // A control that gets the focus while the notice is still closing keeps it, and the next key press.
  const next = await page.getByRole('button', { name: 'Import', exact: true }).elementHandle()
  await workbench.undo.evaluate((undo: HTMLElement, other) => {
    undo.focus()
    undo.click()
    if (other instanceof HTMLElement) other.focus()
  }, next)
  await page.keyboard.press('Enter')
  const again = page.getByRole('dialog')
  await again.getByRole('button', { name: 'Undo import' }).click()
  // The first one may still be closing.
  await undoing.last().waitFor()
  await expect.poll(count, { timeout: 60_000 }).toBe(before)
})

test('foreign keys show labels, which can be turned off; the key itself is copied and edited', async ({
  harbour,
  workbench,
}) => {
  const { page, watch } = workbench
  watch.allow(/status of 409/)
  let readings = 0
  page.on('request', request => {
    if (request.method() === 'GET' && request.url().includes('/rest/v1/voyages?')) readings += 1
  })
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await workbench.openAs(harbour.account('skipper'), '/data/voyages')
  const cell = workbench.rows
    .first()
    .getByRole('gridcell')
    .filter({ hasText: /^\d+ \S/ })
    .first()
  await cell.waitFor()
  const [key = ''] = (await cell.innerText()).split(' ')
  await cell.click()
  await page.keyboard.press('Control+c')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key)
  const reads = await page.evaluate(
    () =>
      performance.getEntriesByType('resource').filter(({ name }) => /[?&]select=key%3A/.test(name)).length,
  )
  expect(reads).toBe(1)

  await page.getByRole('button', { name: 'Columns', exact: true }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Labels of foreign keys' }).click()
  await page.keyboard.press('Escape')
  const plain = workbench.rows.first().getByRole('gridcell', { name: key, exact: true }).first()
  await plain.waitFor()
  expect(await cell.count()).toBe(0)

  // Rows are read once, and again when live changes begin.
  await workbench.liveMark.waitFor()
  expect(readings).toBeLessThanOrEqual(2)

  // A row policy may hide the row of a key, so a key that is not found can be saved; the database decides.
  await plain.click()
  await page.keyboard.press('F2')
  const editor = page.getByRole('dialog', { name: 'Edit vessel' })
  await editor.getByRole('textbox', { name: 'vessel' }).fill('987654')
  await editor
    .getByText('No row that you can see matches. Saving succeeds only if RLS hides the row')
    .waitFor()
  await editor.getByRole('button', { name: 'Save' }).click()
  const notSaved = page.getByRole('region', { name: 'Unsaved changes' })
  await notSaved.getByText('The referenced row does not exist in the other table.').waitFor()
  await notSaved.getByRole('button', { name: 'Discard' }).click()
  await notSaved.waitFor({ state: 'detached' })
})
