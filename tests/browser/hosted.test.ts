// A backend that does not list its tables, as hosted projects: the ways to tables, and keys found by asking.
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { axeInThemes } from '../harness/axe.ts'
import { withHarbour } from '../harness/browser.ts'

const test = withHarbour()

/** The deployment has no file with the tables. */
async function withoutSchema(page: Page, url: string): Promise<void> {
  const given = await fetch(`${url}/_chartroom/config`)
  const { schema: _, ...config } = (await given.json()) as Record<string, unknown>
  await page.route('**/_chartroom/config', route => route.fulfill({ json: config }))
}

const TYPES = `export type Database = {
  public: {
    Tables: {
      vessels: {
        Row: { id: number; name: string; rig: string; owner: string | null }
        Insert: { id?: number; name: string; rig?: string; owner?: string | null }
        Update: { id?: number; name?: string; rig?: string; owner?: string | null }
        Relationships: []
      }
      voyages: { Row: { id: number }; Insert: { id?: number }; Update: { id?: number }; Relationships: [] }
    }
    Views: { [_ in never]: never }
    Functions: { passages: { Args: { vessel?: number }; Returns: undefined } }
    Enums: { [_ in never]: never }
  }
}`

test('tables are opened by name, and listed by a file of the project', async ({ harbour, workbench }) => {
  const { page, watch } = workbench
  watch.allow(/Failed to load resource/)
  await withoutSchema(page, harbour.url)
  await workbench.openAs(harbour.account('skipper'), '/data')
  const ways = page.getByRole('region', { name: 'Ways to open tables' })
  await ways
    .getByText('Secret API key required. Only secret API keys can be used for this endpoint.')
    .waitFor()

  // A name is checked by asking, and the backend suggests another.
  const name = ways.getByRole('textbox', { name: 'Table name' })
  await name.fill('vesels')
  await page.keyboard.press('Enter')
  await ways.getByText('The schema public has no table vesels that is exposed.').waitFor()
  await ways.getByRole('button', { name: 'Open vessels' }).click()
  const grid = page.getByRole('grid', { name: 'Rows of vessels' })
  await grid.waitFor()
  // The key is found, so that rows can be edited.
  await page.getByRole('button', { name: 'New row' }).waitFor()
  await expect
    .poll(() => page.evaluate(origin => localStorage.getItem(`chartroom.ui.keys.${origin}`), harbour.url))
    .toBe('{"[\\"public\\",\\"vessels\\"]":["id"]}')
  expect(await page.getByText(/primary key/).count()).toBe(0)

  // A file lists the others; a wrong one is refused with its line.
  await page.getByRole('button', { name: 'Schema public' }).first().click()
  await page.getByRole('menuitem', { name: 'Table list' }).click()
  const dialog = page.getByRole('dialog', { name: 'Table list' })
  await dialog.getByRole('button', { name: 'Paste text' }).click()
  const text = dialog.getByRole('textbox', { name: 'Text of the file' })
  await text.fill('export type Database = {\n  public: {\n    Tables {')
  await dialog.getByRole('button', { name: 'Use this text' }).click()
  await dialog.getByText('Pasted text: Line 3: expected ":" after "Tables", not "{".').waitFor()
  await text.fill(TYPES)
  await dialog.getByRole('button', { name: 'Use this text' }).click()
  await workbench.sections.getByRole('link', { name: 'voyages' }).waitFor()
  await page.reload()
  await workbench.sections.getByRole('link', { name: 'voyages' }).click()
  await page.getByRole('grid', { name: 'Rows of voyages' }).waitFor()
  await workbench.sections.getByRole('link', { name: 'Database functions' }).click()
  await page.getByRole('link', { name: 'passages' }).waitFor()
})

test('tables are found by asking, and added to the list', async ({ harbour, workbench }) => {
  const { page, watch, sections } = workbench
  watch.allow(/Failed to load resource/)
  await withoutSchema(page, harbour.url)
  // As PostgREST words it; its suggestions go further than those of the embedded backend.
  const near: Record<string, string> = { orders: 'vessels', events: 'voyages' }
  await page.route(/\/rest\/v1\/(?:orders|events)\?limit=0/, route => {
    const name = new URL(route.request().url()).pathname.split('/').at(-1) ?? ''
    const message = `Could not find the table 'public.${name}' in the schema cache`
    const hint = `Perhaps you meant the table 'public.${near[name]}'`
    return route.fulfill({ status: 404, json: { code: 'PGRST205', details: null, hint, message } })
  })
  await workbench.openAs(harbour.account('skipper'), '/data')
  const ways = page.getByRole('region', { name: 'Ways to open tables' })
  // By keyboard alone.
  await ways.getByRole('button', { name: 'Look for tables' }).press('Enter')
  await ways.getByRole('progressbar', { name: 'Search complete' }).waitFor({ timeout: 20_000 })
  const names = await ways
    .getByRole('list', { name: 'Tables that exist' })
    .getByRole('button')
    .allTextContents()
  expect(names).toEqual(['voyages', 'vessels'])
  expect(await axeInThemes(page, 'main')).toEqual([])
  await ways.getByRole('button', { name: /^Add (?:it|all)/ }).press('Enter')
  await page.getByRole('grid', { name: 'Rows of voyages' }).waitFor()
  for (const name of names) await sections.getByRole('link', { name, exact: true }).waitFor()
})

test('a paused project is explained with the words of its host', async ({ harbour, workbench }) => {
  const { page, watch } = workbench
  watch.allow(/Failed to load resource/)
  await withoutSchema(page, harbour.url)
  await page.route('**/rest/v1/', route =>
    route.fulfill({ status: 540, json: { message: 'Project is paused by its owner' } }),
  )
  await workbench.openAs(harbour.account('skipper'), '/data')
  await page.getByText('This project is paused').waitFor()
  await page.getByText('Project is paused by its owner.').waitFor()
})
