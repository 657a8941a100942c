// Working on a table by keyboard alone: cells edited, in conflict with another user, copied, filtered,
// deleted, nothing lost.
import { expect } from 'vitest'
import { withHarbour } from '../harness/browser.ts'
import { HOSTILE } from '../workbench/data-hostile.ts'

const test = withHarbour()

/** The session's own REST requests, outside of the page. */
const restOf = async (url: string, account: { readonly email: string; readonly password: string }) => {
  const { key } = (await (await fetch(`${url}/_chartroom/config`)).json()) as { key: string }
  const headers = { apikey: key, 'content-type': 'application/json' }
  const signIn = await fetch(`${url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers,
    body: JSON.stringify(account),
  })
  const { access_token } = (await signIn.json()) as { access_token: string }
  return async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const answer = await fetch(`${url}/rest/v1/${path}`, {
      method,
      headers: { ...headers, authorization: `Bearer ${access_token}`, prefer: 'return=representation' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return answer.json()
  }
}

test('cells are edited by keyboard, and failures lose nothing', async ({ harbour, workbench }) => {
  const { page, watch } = workbench
  watch.allow(/Failed to load resource/, /ERR_/)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const rest = await restOf(harbour.url, harbour.account('skipper'))
  const windOf = async (id: number) => rest('GET', `log_entries?select=wind&id=eq.${id}`)
  await workbench.openAs(harbour.account('skipper'), '/data/log_entries')
  await workbench.liveMark.waitFor()
  const grid = page.getByRole('grid', { name: 'Rows of log_entries' })
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  const notSaved = page.getByRole('region', { name: 'Unsaved changes' })

  // Typing replaces, Enter saves and moves down.
  await grid.focus()
  await press('ArrowRight', 'ArrowRight', 'ArrowRight')
  await page.keyboard.type('Z 9')
  await press('Enter')
  await expect.poll(() => windOf(40)).toEqual([{ wind: 'Z 9' }])

  // Another user changes the cell while it is edited.
  await press('F2')
  await rest('PATCH', 'log_entries?id=eq.39', { wind: 'THEIRS' })
  await workbench.row('THEIRS').waitFor()
  await press('ControlOrMeta+a')
  await page.keyboard.type('MINE')
  await press('Enter')
  await notSaved.getByText('this cell changed since you loaded it').waitFor()
  expect(await windOf(39)).toEqual([{ wind: 'THEIRS' }])
  await notSaved.getByRole('button', { name: 'Keep your value' }).click()
  await expect.poll(() => windOf(39)).toEqual([{ wind: 'MINE' }])
  await notSaved.waitFor({ state: 'detached' })

  // A rejection keeps the typed text, also over a reload.
  await grid.focus()
  await press('ControlOrMeta+Home', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight')
  const top = async () => (await grid.boundingBox())?.y
  const place = await top()
  await page.keyboard.type('12')
  await press('Enter')
  await notSaved.getByText('log_entries_sea_state_check').waitFor()
  expect(await top()).toBe(place)
  // The edit, and its recording, link to the request in the client's recording.
  const request = workbench.console
    .getByRole('region', { name: 'Selected request' })
    .filter({ hasText: '/rest/v1/log_entries' })
    .getByText(/^eq\.\d+$/)
    .first()
  await notSaved.getByRole('button', { name: /^Why\? id \d+$/ }).click()
  await request.waitFor()
  await notSaved.getByRole('button', { name: 'Open in console' }).click()
  await workbench.showActors()
  await page.getByRole('row', { name: /^edit\.\d+.* blocked\.refused/ }).waitFor()
  // The drawer covers the log.
  await page.keyboard.press('Escape')
  await workbench.showAllSteps()
  await workbench.logRow('write.requested').last().click()
  await workbench.console.getByRole('tab', { name: 'Event' }).click()
  await workbench.console.getByRole('button', { name: 'Show request' }).click()
  await request.waitFor()
  await page.getByTestId('console').getByRole('button', { name: 'Close console' }).click()
  await page.reload()
  await notSaved.getByText('Restored from before the page closed').waitFor()
  await notSaved.getByRole('button', { name: 'Discard' }).click()
  await notSaved.waitFor({ state: 'detached' })

  // A block is copied as spreadsheets do, and pasted elsewhere.
  await workbench.liveMark.waitFor()
  await grid.focus()
  await press(
    'ControlOrMeta+Home',
    'ArrowRight',
    'ArrowRight',
    'ArrowRight',
    'Shift+ArrowDown',
    'ControlOrMeta+c',
  )
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('Z 9\nMINE')
  await press('ArrowDown', 'ArrowDown', 'ControlOrMeta+v')
  await expect.poll(() => windOf(37)).toEqual([{ wind: 'Z 9' }])

  // Several lines pasted into a single-line field open an editor with room for them.
  await press('F2', 'End')
  await page.keyboard.type(' + ')
  await press('ControlOrMeta+v')
  const lines = page.locator('textarea[aria-label="wind"]')
  await expect.poll(() => lines.inputValue()).toBe('Z 9 + Z 9\nMINE')
  await press('Escape')
  await lines.waitFor({ state: 'detached' })

  // Selecting rows with the mouse selects no text of the page.
  const gutter = (name: string) => page.getByRole('gridcell', { name, exact: true })
  await gutter('Row 1').click()
  await gutter('Row 3').click({ modifiers: ['Shift'] })
  await page.getByText('3 rows selected').waitFor()
  expect(await page.evaluate(() => String(getSelection()))).toBe('')
  // The key stays in sight, and a copy has the names of the columns.
  const key = page.getByRole('columnheader', { name: 'id', exact: true })
  const keyStyle = await key.evaluate(element => {
    const { position, backgroundColor } = getComputedStyle(element)
    return { position, backgroundColor }
  })
  expect(keyStyle).toEqual({
    position: 'sticky',
    backgroundColor: expect.not.stringMatching(/, 0\)|transparent/),
  })
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
  const copyAs = async (format: string) => {
    const menu = page.getByRole('toolbar', { name: 'Selected rows' }).getByRole('button', { name: 'Copy' })
    await menu.focus()
    await press('Enter')
    await page.getByRole('menuitem', { name: format, exact: true }).focus()
    await press('Enter')
    await page.getByText(`Copied 3 rows as ${format}`).waitFor()
    return clipboard()
  }
  expect(await copyAs('SQL INSERT')).toMatch(
    /^insert into "public"\."log_entries" \("id", "voyage", .*\) (?:overriding system value )?values\n {2}\(40, /,
  )
  expect((await copyAs('Markdown table')).split('\n').slice(0, 2)).toEqual([
    expect.stringMatching(/^\| id \| voyage \| at \| wind /),
    expect.stringMatching(/^\| ---: \| ---: \| --- /),
  ])
  // Of numbers in a range, the sum and more are shown.
  const seas = (await rest('GET', 'log_entries?select=sea_state&order=id.desc&limit=3')) as {
    readonly sea_state: number
  }[]
  await grid.focus()
  await press('ControlOrMeta+Home', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight')
  await press('Shift+ArrowDown', 'Shift+ArrowDown')
  const numbers = page.getByLabel('Numbers in sea_state')
  const sum = seas.reduce((total, { sea_state }) => total + sea_state, 0)
  await expect.poll(() => numbers.textContent()).toContain(`sum${sum}`)
  // A column becomes as wide as its values.
  const note = page.getByRole('columnheader', { name: 'note', exact: true })
  const before = (await note.boundingBox())?.width ?? 0
  await note.locator('[data-edge]').dblclick()
  await expect.poll(async () => (await note.boundingBox())?.width ?? 0).toBeGreaterThan(before)
  await gutter('Row 1').click()
  await gutter('Row 3').click({ modifiers: ['Shift'] })
  // Nothing is changed in them before a value was given.
  await page.getByRole('button', { name: 'Edit rows' }).click()
  const change = page
    .getByRole('dialog', { name: 'Edit 3 rows' })
    .getByRole('button', { name: 'Change 3 rows' })
  await expect.poll(() => change.isDisabled()).toBe(true)
  await press('Escape')

  // What JSON and JavaScript would distort is written and read back unchanged.
  const short = HOSTILE.filter(
    ([, format, text]) => format === 'text' && text.length < 1_000 && !/[\t\r]/.test(text),
  )
  for (const text of [short.map(([, , own]) => own).join('\n'), '  x  ', 'null', '']) {
    await page.getByRole('textbox', { name: 'note' }).waitFor({ state: 'detached' })
    await grid.focus()
    await press('ControlOrMeta+Home', 'End', 'ArrowLeft', 'ArrowLeft')
    await press('F2')
    await page.getByRole('textbox', { name: 'note' }).fill(text)
    await press('ControlOrMeta+Enter')
    await expect.poll(() => rest('GET', 'log_entries?select=note&id=eq.40')).toEqual([{ note: text }])
  }

  // A deletion can be undone for a while.
  await grid.focus()
  await press('ControlOrMeta+Home', 'Shift+Space', 'ControlOrMeta+Delete')
  await workbench.undo.click()
  await expect.poll(() => windOf(40)).toEqual([{ wind: 'Z 9' }])

  // A row is added in the grid itself: an invalid value is rejected, the draft is kept, and the row is added.
  await grid.focus()
  await press('Insert')
  await page.getByRole('button', { name: 'voyage of the new row' }).waitFor()
  await press('ArrowRight', 'ArrowRight')
  await page.keyboard.type('INLINE')
  await press('Tab')
  await page.keyboard.type('x')
  await press('Enter', 'ControlOrMeta+Enter')
  await page.getByText('sea_state: This must be a whole number.').waitFor()
  await press('Escape', 'Insert', 'End', 'Home')
  await page.getByRole('button', { name: 'sea_state of the new row' }).click()
  await page.getByRole('textbox', { name: 'sea_state' }).fill('4')
  await press('Enter', 'ControlOrMeta+Enter')
  const inline = () => rest('GET', 'log_entries?select=sea_state,note&wind=eq.INLINE')
  await expect.poll(inline).toEqual([{ sea_state: 4, note: '' }])
  await press('Escape')

  // A filter is created by keyboard, is in the address, and can be removed.
  await page.getByRole('button', { name: 'Filter', exact: true }).focus()
  await press('Enter')
  const form = page.getByRole('form', { name: 'Filter' })
  await form.getByLabel('Value').fill('39')
  await press('Enter')
  await expect.poll(() => workbench.rows.count()).toBe(1)
  expect(new URL(page.url()).searchParams.get('filter')).toBe('["id=eq.39"]')
  await page.getByRole('button', { name: 'Remove filter id is 39' }).click()
  await expect.poll(() => workbench.rows.count()).toBeGreaterThan(10)
})

test('rows inserted elsewhere do not move the selection; cleared cells can be restored', async ({
  harbour,
  workbench,
}) => {
  const { page } = workbench
  const rest = await restOf(harbour.url, harbour.account('skipper'))
  const newest = (await rest('GET', 'log_entries?select=id,wind,sea_state&order=id.desc&limit=6')) as {
    readonly id: number
  }[]
  const chosen = newest.slice(3, 6)
  const [first] = chosen
  const among = (rows: typeof newest) => `id=in.(${rows.map(({ id }) => id).join(',')})`
  const cells = (rows: typeof newest) =>
    rest('GET', `log_entries?select=id,wind,sea_state&order=id.desc&${among(rows)}`)
  await workbench.openAs(harbour.account('skipper'), '/data/log_entries')
  await workbench.liveMark.waitFor()
  const grid = page.getByRole('grid', { name: 'Rows of log_entries' })
  const number = (row: number) => page.getByRole('gridcell', { name: `Row ${row}`, exact: true })
  const panel = page.getByRole('complementary', { name: 'Row details' })

  // Three rows and the panel of one of them, then 600 rows are inserted above.
  await number(6).click()
  await number(4).click({ modifiers: ['Shift'] })
  await page.keyboard.press('Space')
  await panel.getByRole('heading', { name: `log_entries ${first?.id}` }).waitFor()
  await rest(
    'POST',
    'log_entries',
    Array.from({ length: 600 }, (_, n) => ({ wind: `E ${n}`, note: 'inserted' })),
  )
  await workbench.row('E 599').waitFor()
  const bar = page.getByRole('toolbar', { name: 'Selected rows' })
  await bar.getByText('3 rows selected').waitFor()
  await panel.getByRole('heading', { name: `log_entries ${first?.id}` }).waitFor()
  expect(await grid.getByRole('row', { selected: true }).count()).toBe(0)
  await bar.getByRole('button', { name: 'Delete rows' }).click()
  await expect.poll(() => cells(chosen)).toEqual([])
  expect(await rest('GET', 'log_entries?select=id&note=eq.inserted&limit=1000')).toHaveLength(600)

  // A range is cleared, restored by keyboard and cleared again.
  await page.getByRole('button', { name: 'Close details' }).click()
  const top = (await rest(
    'GET',
    'log_entries?select=id,wind,sea_state&order=id.desc&limit=2',
  )) as typeof newest
  const cellOf = (text: string) => workbench.row(text).getByRole('gridcell', { name: text })
  await cellOf('E 599').click()
  for (const key of ['Shift+ArrowDown', 'Delete']) await page.keyboard.press(key)
  const cleared = top.map(row => ({ ...row, wind: null }))
  await expect.poll(() => cells(top)).toEqual(cleared)
  const notice = page.getByText('Cleared 2 cells in 2 rows')
  await notice.waitFor()
  // Its button is below the text, which needs the whole width.
  const text = await notice.boundingBox()
  const undo = await workbench.undo.boundingBox()
  expect(undo?.y).toBeGreaterThanOrEqual((text?.y ?? 0) + (text?.height ?? Infinity))
  await page.keyboard.press('ControlOrMeta+z')
  await expect.poll(() => cells(top)).toEqual(top)
  await page.keyboard.press('ControlOrMeta+Shift+z')
  await expect.poll(() => cells(top)).toEqual(cleared)
  await workbench.undo.click()
  await expect.poll(() => cells(top)).toEqual(top)

  // A notice leaves with its user.
  const undone = page.getByText('Undone: cleared 2 cells in 2 rows')
  await undone.waitFor()
  await page.getByRole('button', { name: /^Backend and account/ }).click()
  await page.getByRole('menuitemradio', { name: /^Sign out/ }).click()
  await workbench.signInForm.waitFor()
  await undone.waitFor({ state: 'detached', timeout: 2_000 })
})
