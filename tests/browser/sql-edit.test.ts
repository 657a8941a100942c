// Editing in results of the SQL page: saved values, undo, conflicts, refusals, by keyboard alone.
import { expect } from 'vitest'
import { axeInThemes } from '../harness/axe.ts'
import { withHarbour } from '../harness/browser.ts'

const test = withHarbour()

const SETUP = `create table public.notes (id int primary key, note text, done boolean, data json, must text not null default 'm');
insert into public.notes values (1, 'one', true, '{"a":1.0}'), (2, 'two', null, null), (3, 'three', false, null);
create table public.tags (id int primary key, of int references public.notes, tag text);
insert into public.tags values (1, 1, 'red'), (2, 1, 'blue'), (3, 2, 'green');`

test('cells are edited, undone, refused and in conflict, by keyboard', async ({ harbour, workbench }) => {
  const { page } = workbench
  const sql = async (script: string): Promise<(string | null)[][]> => {
    const response = await fetch(`${harbour.url}/_chartroom/sql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id: crypto.randomUUID(), sql: script }),
    })
    const { statements } = (await response.json()) as { statements: { rows: (string | null)[][] }[] }
    return statements.at(-1)?.rows ?? []
  }
  await sql(SETUP)
  await workbench.openAs(harbour.account('skipper'), '/sql')
  const editor = page.getByRole('textbox', { name: 'SQL script' })
  const results = page.getByRole('region', { name: 'Results' })
  const grid = results.getByRole('grid', { name: 'Rows of result 1' })
  const run = async (script: string) => {
    await editor.fill(script)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+Enter')
    await grid.waitFor()
  }
  const note = (id: number) => sql(`select note from notes where id = ${id}`)
  await run('select id, note, done, data, must, id * 2 as twice from notes order by id')
  await results.getByText('Editable', { exact: true }).waitFor()

  // Enter edits, Enter saves and moves down, F2 edits, Escape cancels.
  await grid.focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await page.keyboard.type("uno's")
  await page.keyboard.press('Enter')
  await expect.poll(() => note(1)).toEqual([["uno's"]])
  await page.keyboard.press('F2')
  await page.keyboard.type('not saved')
  await page.keyboard.press('Escape')
  expect(await note(2)).toEqual([['two']])
  // Null is not an empty text.
  await page.keyboard.press('Delete')
  await expect.poll(() => note(2)).toEqual([[null]])
  await page.keyboard.press('Control+z')
  await expect.poll(() => note(2)).toEqual([['two']])
  await page.keyboard.press('Control+z')
  await expect.poll(() => note(1)).toEqual([['one']])
  await page.keyboard.press('Control+Shift+z')
  await expect.poll(() => note(1)).toEqual([["uno's"]])
  await results.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => note(1)).toEqual([['one']])
  await grid.getByRole('gridcell', { name: 'one', exact: true }).waitFor()

  // A boolean is chosen, an expression only shown.
  await grid.getByRole('gridcell', { name: 'f', exact: true }).dblclick()
  await page.getByRole('option', { name: 't', exact: true }).waitFor()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect.poll(() => sql('select done from notes where id = 3')).toEqual([['t']])
  await grid.getByRole('gridcell', { name: '6', exact: true }).dblclick()
  const row = page.getByRole('dialog', { name: 'Row 3' })
  await row.getByText('read-only: an expression').waitFor()
  await page.keyboard.press('Escape')

  // PostgreSQL refuses, with its words.
  await grid.getByRole('gridcell', { name: '{"a":1.0}' }).dblclick()
  const json = page.getByRole('dialog', { name: 'Edit data' })
  await json.getByRole('textbox').fill('{"b":')
  await json.getByRole('button', { name: 'Save' }).click()
  const unsaved = results.getByRole('region', { name: 'Unsaved changes' })
  await unsaved.getByText(/invalid input syntax for type json/).waitFor()
  expect(await axeInThemes(page)).toEqual([])
  await unsaved.getByRole('button', { name: 'Discard' }).click()
  await expect.poll(() => unsaved.count()).toBe(0)

  // Another user changed the value.
  await sql("update notes set note = 'theirs' where id = 2")
  await grid.getByRole('gridcell', { name: 'two', exact: true }).dblclick()
  await page.keyboard.type('mine')
  await page.keyboard.press('Enter')
  await unsaved.getByText('theirs').waitFor()
  expect(await axeInThemes(page)).toEqual([])
  await unsaved.getByRole('button', { name: 'Keep your value' }).click()
  await expect.poll(() => note(2)).toEqual([['mine']])
  await sql("update notes set note = 'again' where id = 2")
  await grid.getByRole('gridcell', { name: 'mine', exact: true }).dblclick()
  await page.keyboard.type('lost')
  await page.keyboard.press('Enter')
  await unsaved.getByRole('button', { name: 'Use the stored value' }).click()
  await grid.getByRole('gridcell', { name: 'again', exact: true }).waitFor()
  expect(await note(2)).toEqual([['again']])

  // A join repeats a row, and each repetition shows the edit.
  await run('select t.id, t.tag, n.id as note_id, n.note from tags t join notes n on n.id = t.of order by 1')
  await grid.getByRole('gridcell', { name: 'one', exact: true }).first().dblclick()
  await page.keyboard.type('both')
  await page.keyboard.press('Enter')
  await expect.poll(() => grid.getByRole('gridcell', { name: 'both', exact: true }).count()).toBe(2)
  await expect.poll(() => note(1)).toEqual([['both']])

  await run('select count(*) from notes')
  await results.getByText('Read-only: an expression').waitFor()
  await run('select note, must from notes')
  await results.getByText('Read-only: no primary key of notes in the result').waitFor()
})

test('“Open” shows the row of the cursor in its table', async ({ harbour, workbench }) => {
  const { page } = workbench
  await workbench.openAs(harbour.account('skipper'), '/sql')
  await page.getByRole('textbox', { name: 'SQL script' }).fill('select * from vessels order by id')
  await page.keyboard.press('Control+Enter')
  const results = page.getByRole('region', { name: 'Results' })
  await results.getByRole('link', { name: 'Open vessels' }).waitFor()
  await results.getByRole('grid').focus()
  await page.keyboard.press('ArrowDown')
  await results.getByRole('link', { name: 'Open vessels at row 2' }).click()
  const rows = page.getByRole('grid', { name: 'Rows of vessels' })
  await rows.waitFor()
  await expect.poll(() => rows.getByRole('row').count()).toBe(2)
  await rows.getByRole('gridcell', { name: '2', exact: true }).waitFor()
})
