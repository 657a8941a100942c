// The SQL page: scripts with several results, errors at their place, and plans.
import { expect } from 'vitest'
import { axeInThemes } from '../harness/axe.ts'
import { withHarbour } from '../harness/browser.ts'

const test = withHarbour()

test('a script with several results, an error at its place, and a plan', async ({ harbour, workbench }) => {
  const { page } = workbench
  await workbench.openAs(harbour.account('skipper'), '/sql')
  const editor = page.getByRole('textbox', { name: 'SQL script' })
  const write = async (sql: string) => {
    await editor.fill(sql)
    await page.keyboard.press('Escape')
  }
  await page.getByText('No results yet').waitFor()
  expect(await axeInThemes(page)).toEqual([])

  await write(
    "select 9007199254740993 as big, null as nothing, '' as empty;\ncreate table public.made_here (id int);\ndo $$ begin raise notice 'hello'; end $$",
  )
  await page.keyboard.press('Control+Enter')
  const results = page.getByRole('region', { name: 'Results' })
  const grid = results.getByRole('grid', { name: 'Rows of result 1' })
  await expect
    .poll(() => grid.getByRole('gridcell').allTextContents())
    .toEqual(expect.arrayContaining(['9007199254740993', 'null', 'empty']))
  await results.getByRole('tab', { name: '3 · DO' }).click()
  await results.getByText('hello').waitFor()
  // The list of tables follows the schema.
  await page.getByRole('link', { name: /^Data\s*4$/ }).waitFor()
  await write('select name from vessels order by id')
  await page.keyboard.press('Control+Enter')
  await results.getByRole('link', { name: 'Open vessels' }).waitFor()
  await results.getByRole('grid').press('Space')
  await page.getByRole('dialog', { name: 'Row 1' }).getByText('Kittiwake').waitFor()
  await page.keyboard.press('Escape')
  expect(await axeInThemes(page)).toEqual([])

  await write('select name,\n  nonsense\nfrom vessels')
  await page.keyboard.press('Control+Enter')
  const error = results.getByRole('alert')
  await error.getByText('column "nonsense" does not exist').waitFor()
  await error.getByText('42703').waitFor()
  await expect.poll(() => page.locator('.cm-sql-error').allTextContents()).toEqual(['nonsense'])
  await error.getByRole('button', { name: 'Line 2, column 3' }).click()
  expect(
    await editor.evaluate(
      element => element.getRootNode() instanceof ShadowRoot && element.matches(':focus'),
    ),
  ).toBe(true)

  await write('select * from vessels where id > 1 order by name')
  await page.getByRole('button', { name: 'Explain' }).click()
  await page.getByRole('menuitem', { name: 'Run, measure and roll back' }).click()
  await results.getByRole('rowheader', { name: /Seq Scan on vessels.*Filter: \(id > 1\)/s }).waitFor()
  await results.getByText('rolled back', { exact: true }).waitFor()
  expect(await axeInThemes(page)).toEqual([])
})

test('a role sees its rows, and a selection runs alone', async ({ harbour, workbench }) => {
  const { page } = workbench
  await workbench.openAs(harbour.account('mate'), '/sql')
  const results = page.getByRole('region', { name: 'Results' })
  await page.getByRole('button', { name: /Run as/ }).click()
  await page.getByRole('option', { name: 'mate@harbour.test' }).click()
  const editor = page.getByRole('textbox', { name: 'SQL script' })
  await editor.fill("select 'not run';\nselect auth.jwt() ->> 'email'")
  await page.keyboard.press('Escape')
  await page.keyboard.press('Shift+Home')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await results.getByRole('gridcell', { name: 'mate@harbour.test' }).waitFor()
  await expect.poll(() => results.getByRole('tab').count()).toBe(1)
})

test('the page works on a phone', async ({ harbour, workbench }) => {
  const { page } = workbench
  await page.setViewportSize({ width: 390, height: 800 })
  await workbench.openAs(harbour.account('skipper'), '/sql')
  await page.getByRole('textbox', { name: 'SQL script' }).fill('select * from vessels')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await page.getByRole('grid', { name: 'Rows of result 1' }).waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  expect(await axeInThemes(page)).toEqual([])
})
