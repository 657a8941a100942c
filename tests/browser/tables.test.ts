// The list of 500 tables in six schemas: filter, favorites, recently opened tables, groups and kinds, by keyboard and
// by pointer; the oracle is pg_catalog.
import pg from 'pg'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { startHarbour } from '../../scripts/harbour.ts'
import { axeInThemes } from '../harness/axe.ts'
import { CHEAP } from '../harness/backend.ts'
import { withBrowser } from '../harness/browser.ts'
import { atFileEnd } from '../harness/endings.ts'
import { manyTables } from '../harness/many-tables.ts'
import { WorkbenchPage } from '../harness/workbench-page.ts'

const test = withBrowser.extend('site', { scope: 'file' }, async () => {
  const backend = await startHarbour({
    port: 0,
    data: 'memory',
    auth: CHEAP,
    isBuilt: true,
    databaseAccess: {},
    autoExposeNewTables: true,
  })
  const sql = new pg.Client({ connectionString: backend.databaseUrl })
  await sql.connect()
  atFileEnd(async () => {
    await sql.end()
    await backend.stop()
  })
  await sql.query(manyTables(500))
  // REST knows them once it describes them.
  await expect
    .poll(async () => {
      const file = (await (await fetch(`${backend.url}/_chartroom/schema`)).json()) as Described
      return Object.keys(file.schemas).length
    })
    .toBe(6)
  return { backend, sql }
})

interface Described {
  readonly schemas: Readonly<Record<string, unknown>>
}

type Site = { readonly backend: Awaited<ReturnType<typeof startHarbour>>; readonly sql: pg.Client }

async function open(
  browser: Browser,
  { backend }: Site,
  path: string,
  options: BrowserContextOptions = {},
): Promise<WorkbenchPage> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  atFileEnd(() => context.close())
  const workbench = new WorkbenchPage(await context.newPage(), backend.url)
  const account = backend.accounts.find(({ email }) => email.startsWith('skipper@'))
  if (account === undefined) throw new Error('There is no skipper.')
  await workbench.openAs(account, path)
  await workbench.page.getByRole('heading', { level: 1 }).waitFor()
  return workbench
}

const listIn = (page: Page) => page.getByRole('list', { name: 'Tables' })
const filterIn = (page: Page) => page.getByRole('textbox', { name: 'Filter tables' })
const linksIn = (page: Page) => listIn(page).getByRole('link')

/** The focused element, by its text. */
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '')

/** All names in the order of the list, wherever it is scrolled to. */
async function allRows(page: Page): Promise<readonly string[]> {
  await listIn(page).waitFor()
  const rows = new Map<number, string>()
  const scroller = listIn(page).locator('..')
  const height = await scroller.evaluate(element => element.scrollHeight)
  for (let top = 0; top <= height; top += 600) {
    await scroller.evaluate((element, to) => element.scrollTo(0, to), top)
    await page.evaluate(() => new Promise(requestAnimationFrame))
    await page.evaluate(() => new Promise(requestAnimationFrame))
    const seen = await listIn(page)
      .getByRole('listitem')
      .evaluateAll(items =>
        items.map(item => {
          const link = item.querySelector('a')
          const group = item.querySelector('button[aria-expanded] > span')
          return [
            Number(item.getAttribute('aria-posinset')),
            link?.title ?? `# ${group?.textContent ?? ''}`,
          ] as const
        }),
      )
    for (const [at, text] of seen) rows.set(at, text)
  }
  return [...rows].toSorted(([a], [b]) => a - b).map(([, text]) => text)
}

const KINDS = `
  select n.nspname as schema, c.relname as name, case c.relkind when 'r' then 'table' when 'v' then 'view'
    when 'm' then 'materialized view' when 'f' then 'foreign table' when 'p' then 'partitioned table' end as kind
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any ($1) and c.relkind in ('r', 'v', 'm', 'f', 'p') and not c.relispartition`

describe('500 tables', () => {
  test('the list has the tables of all schemas with their kinds, and draws only some', async ({
    browser,
    site,
  }) => {
    const { page, watch } = await open(browser, site, '/data/vessels')
    const rows = await allRows(page)
    const groups = rows.filter(row => row.startsWith('# ')).map(row => row.slice(2))
    const { rows: known } = await site.sql.query<{ schema: string; name: string; kind: string }>(KINDS, [
      groups,
    ])
    expect(known.length).toBeGreaterThanOrEqual(500)
    const expected = known.map(({ name, kind }) => (kind === 'table' ? name : `${name}: ${kind}`))
    expect(rows.filter(row => !row.startsWith('# ')).toSorted()).toEqual(expected.toSorted())
    expect(await linksIn(page).count()).toBeLessThan(80)
    expect(watch.problems()).toEqual([])
  })

  test('a table is found by keys alone, whatever the case, accents and underscores', async ({
    browser,
    site,
  }) => {
    const { page, watch } = await open(browser, site, '/data/vessels')
    const grid = (table: string) => page.getByRole('grid', { name: `Rows of ${table}` })
    await page.getByRole('grid').waitFor()
    const names = async () => (await linksIn(page).allInnerTexts()).map(text => text.split('\n')[0])
    await page.keyboard.press('/')
    await expect.poll(() => filterIn(page).evaluate(field => field === document.activeElement)).toBe(true)
    for (const text of ['GROSSEN', 'größen', 'Groß']) {
      await filterIn(page).fill(text)
      await expect.poll(async () => (await names())[0]).toBe('Größen')
    }
    for (const text of ['orderitems', 'Order Items', 'order-i', 'ord it']) {
      await filterIn(page).fill(text)
      await expect.poll(async () => (await names())[0]).toBe('order_items')
    }
    await filterIn(page).fill('no such table')
    await page.getByText('No table matches').waitFor()
    await page.keyboard.press('Escape')
    expect(await filterIn(page).inputValue()).toBe('')
    await filterIn(page).fill('order items')
    await page.keyboard.press('ArrowDown')
    expect(await focused(page)).toContain('order_items')
    await page.keyboard.press('Enter')
    await grid('order_items').or(page.getByText('No rows visible to you')).waitFor()
    expect(new URL(page.url()).pathname).toBe('/data/order_items')
    // Enter in the filter opens the best match, also of another schema.
    await page.keyboard.press('/')
    await page.keyboard.type('fleet engine checks')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'fleet_engine_checks' }).waitFor()
    expect(new URL(page.url()).searchParams.get('schema')).toBe('fleet')
    expect(watch.problems()).toEqual([])
  })

  test('favorites, recent tables and closed groups stay with the account', async ({ browser, site }) => {
    const workbench = await open(browser, site, '/data/vessels')
    const { page, watch } = workbench
    await page.getByRole('grid').waitFor()
    const group = (name: string) => listIn(page).getByRole('button', { name: new RegExp(`^${name} ?\\d`) })
    // By key: the row with the focus, which is the open table's.
    await page.keyboard.press('/')
    await page.keyboard.type('vessels')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    await page.keyboard.press('Escape')
    await group('Favorites').waitFor()
    // By pointer.
    await filterIn(page).fill('voyages')
    await linksIn(page).first().hover()
    await listIn(page).getByRole('button', { name: 'Favorite: voyages' }).first().click()
    await linksIn(page).first().click()
    await page.getByRole('heading', { level: 1, name: 'voyages' }).waitFor()
    await filterIn(page).fill('log_entries')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'log_entries' }).waitFor()
    await filterIn(page).fill('order_items')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'order_items' }).waitFor()
    await listIn(page)
      .locator('..')
      .evaluate(element => element.scrollTo(0, 0))
    await group('public').click()
    expect((await allRows(page)).slice(0, 7)).toEqual([
      '# Favorites',
      'vessels',
      'voyages',
      '# Recent',
      'log_entries',
      '# public',
      expect.stringMatching(/^# /),
    ])
    await page.reload()
    await group('Favorites').waitFor()
    const rows = await allRows(page)
    expect([rows[1], rows[2], rows[5], rows[6]?.startsWith('# ')]).toEqual([
      'vessels',
      'voyages',
      '# public',
      true,
    ])
    // A favorite is removed by the command, too.
    await listIn(page)
      .locator('..')
      .evaluate(element => element.scrollTo(0, 0))
    await linksIn(page).filter({ hasText: 'vessels' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'vessels' }).waitFor()
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('combobox').last().fill('Remove vessels from favorites')
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await allRows(page)).slice(0, 2)).toEqual(['# Favorites', 'voyages'])
    expect(watch.problems()).toEqual([])
  })

  test('one row is a tab stop, and arrows lead through groups', async ({ browser, site }) => {
    const { page } = await open(browser, site, '/data/vessels')
    await page.getByRole('grid').waitFor()
    await filterIn(page).focus()
    await page.keyboard.press('Tab')
    // The open table, in its schema.
    expect(await focused(page)).toBe('vessels')
    await page.keyboard.press('ArrowLeft')
    expect(await focused(page)).toMatch(/^public/)
    await page.keyboard.press('ArrowLeft')
    await expect
      .poll(() =>
        listIn(page)
          .getByRole('button', { name: /^public/ })
          .getAttribute('aria-expanded'),
      )
      .toBe('false')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('End')
    const rows = await allRows(page)
    expect(await focused(page)).toBe(rows.at(-1)?.split(':')[0])
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowUp')
    expect(await filterIn(page).evaluate(field => field === document.activeElement)).toBe(true)
    expect(await axeInThemes(page)).toEqual([])
  })

  test('on a phone the title opens the list', async ({ browser, site }) => {
    const { page } = await open(browser, site, '/data/vessels', { viewport: { width: 390, height: 844 } })
    await page.getByRole('button', { name: 'Table vessels' }).click()
    const dialog = page.getByRole('dialog', { name: 'Tables' })
    await dialog.getByRole('list', { name: 'Tables' }).waitFor()
    expect(await axeInThemes(page)).toEqual([])
    await page.keyboard.type('order items')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Table order_items' }).waitFor()
  })

  test('a view of sums has no button for a new row', async ({ browser, site }) => {
    const { page } = await open(browser, site, '/data/order_totals')
    await page.getByText('No rows visible to you').or(page.getByRole('grid')).first().waitFor()
    expect(await page.getByRole('button', { name: 'New row' }).count()).toBe(0)
  })
})
