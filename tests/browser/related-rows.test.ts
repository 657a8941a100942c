// Columns of related rows in the grid, and the rows that refer to a row, by keyboard; the oracle is `pg`.
import pg from 'pg'
import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import { startHarbour } from '../../scripts/harbour.ts'
import { axeInThemes } from '../harness/axe.ts'
import { CHEAP } from '../harness/backend.ts'
import { withBrowser } from '../harness/browser.ts'
import { atFileEnd } from '../harness/endings.ts'
import { WorkbenchPage } from '../harness/workbench-page.ts'

const HARBOR = `
  create schema yard;
  create table yard.slips (id int primary key);
  create table harbours (id int primary key, name text, is_open boolean not null default true);
  alter table harbours enable row level security;
  create policy open on harbours for select using (is_open);
  create table berths (id int primary key, harbour int references harbours, label text);
  create table moorings (
    id int primary key, berth int references berths, left_for int references berths, slip int references yard.slips,
    note text
  );
  insert into harbours values (1, 'Gullhaven', true), (2, 'Navy base', false);
  insert into berths values (1, 1, 'A1'), (2, 2, 'B2'), (3, null, 'C3');
  insert into moorings select n, 1 + n % 3, case n % 4 when 0 then 1 end, null, 'n' || n from generate_series(1, 9) n;
  insert into moorings values (10, null, null, null, 'afloat');
  grant usage on schema yard to authenticated;
  grant all on yard.slips to authenticated;
  alter role authenticator set pgrst.db_schemas = 'public, yard';
  notify pgrst, 'reload config';
  notify pgrst, 'reload schema';
`

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
  await sql.query(HARBOR)
  await expect
    .poll(async () =>
      (await (await fetch(`${backend.url}/_chartroom/schema`)).text()).includes('moorings_slip_fkey'),
    )
    .toBe(true)
  return { backend, sql }
})

type Site = { readonly backend: Awaited<ReturnType<typeof startHarbour>>; readonly sql: pg.Client }

async function open(browser: Browser, { backend }: Site, path: string): Promise<WorkbenchPage> {
  const context = await browser.newContext({
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  atFileEnd(() => context.close())
  const workbench = new WorkbenchPage(await context.newPage(), backend.url)
  const account = backend.accounts.find(({ email }) => email.startsWith('skipper@'))
  if (account === undefined) throw new Error('There is no skipper.')
  await workbench.openAs(account, path)
  await workbench.page.getByRole('grid').waitFor()
  return workbench
}

/** The texts of these columns in all rows. */
const cellsOf = (page: Page, columns: readonly string[]) =>
  page.getByRole('grid').evaluate((grid, names) => {
    const heads = [...grid.querySelectorAll('[role=columnheader]')]
    const places = names.map(name =>
      heads.find(head => head.getAttribute('aria-label') === name)?.getAttribute('aria-colindex'),
    )
    return [...grid.querySelectorAll('[data-row]')].map(row =>
      places.map(at => row.querySelector(`[aria-colindex="${at}"]`)?.textContent?.trim()),
    )
  }, columns)

/** As the grid shows what a left join returns; `isHidden` as the policy hides it. */
const JOINED = `
  select m.id::text, coalesce(b.label, 'null') as label,
    case when h.is_open then h.name when h.id is null then 'null' else 'not visible' end as harbour
  from moorings m left join berths b on b.id = m.berth left join harbours h on h.id = b.harbour`

const shown = ['id', 'berth › label', 'berth › harbour › name']

test('a column shows columns of the rows that it refers to', async ({ browser, site }) => {
  const { page, watch } = await open(browser, site, '/data/moorings')
  const menuOf = async (column: string) => {
    await page.getByRole('columnheader', { name: column, exact: true }).getByRole('button').click()
    return page.getByRole('menu')
  }
  // A key to another schema can't be followed in one request.
  const slip = await menuOf('slip')
  const refused = slip.getByRole('menuitem', { name: 'Show columns of slips' })
  expect(await refused.getAttribute('aria-disabled')).toBe('true')
  await refused.getByText('slips is in the schema yard').waitFor()
  await page.keyboard.press('Escape')
  // By keyboard: the header's menu, and the checkboxes of the dialog.
  await page.getByRole('grid').focus()
  for (const key of ['ArrowUp', 'ArrowRight', 'Alt+ArrowDown']) await page.keyboard.press(key)
  await page.getByRole('menuitem', { name: 'Show columns of berths' }).waitFor()
  await page.keyboard.type('Show')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Show columns of berths' })
  await dialog.waitFor()
  await dialog.getByRole('checkbox', { name: 'label' }).focus()
  await page.keyboard.press('Space')
  await dialog.getByText('Columns of harbours, by harbour').click()
  await dialog.getByRole('checkbox', { name: 'name' }).focus()
  await page.keyboard.press('Space')
  expect(await axeInThemes(page)).toEqual([])
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  const joined = async (order: string) =>
    (await site.sql.query<Record<string, string>>(`${JOINED} order by ${order}`)).rows.map(row =>
      Object.values(row),
    )
  await expect.poll(() => cellsOf(page, shown)).toEqual(await joined('m.id desc'))
  // Sorted by a direct reference; the request names the row.
  const head = page.getByRole('columnheader', { name: 'berth › label' })
  await head.click()
  await expect.poll(() => head.getAttribute('aria-sort')).toBe('ascending')
  await expect.poll(() => cellsOf(page, shown)).toEqual(await joined('b.label, m.id'))
  const further = await menuOf('berth › harbour › name')
  expect(await further.getByRole('menuitem', { name: 'Sort ascending' }).getAttribute('aria-disabled')).toBe(
    'true',
  )
  await page.keyboard.press('Escape')
  // The columns are those of the table after a reload.
  await page.reload()
  await page.getByRole('grid').waitFor()
  await expect.poll(() => cellsOf(page, shown)).toEqual(await joined('b.label, m.id'))
  expect(await axeInThemes(page)).toEqual([])
  expect(watch.problems()).toEqual([])
})

test('an edit of the key replaces the related values, and undo brings them back', async ({
  browser,
  site,
}) => {
  const { page, watch } = await open(browser, site, '/data/moorings?sort=id&dir=asc')
  await page.evaluate(origin => {
    const step = { table: 'berths', columns: ['berth'], key: 'moorings_berth_fkey' }
    const related = [{ name: 'berth › label', steps: [step], column: 'label' }]
    const layout = { order: [], hidden: [], widths: {}, related }
    localStorage.setItem(`chartroom.ui.columns.${origin}.["public","moorings"]`, JSON.stringify(layout))
  }, site.backend.url)
  await page.reload()
  const grid = page.getByRole('grid')
  await grid.waitFor()
  await expect.poll(async () => (await cellsOf(page, ['id', 'berth › label']))[0]).toEqual(['1', 'B2'])
  await grid.focus()
  for (const key of ['Control+Home', 'ArrowRight']) await page.keyboard.press(key)
  await page.keyboard.type('1')
  await page.keyboard.press('Enter')
  const berthOf = async () =>
    (await site.sql.query<{ berth: number }>('select berth from moorings where id = 1')).rows
  await expect.poll(berthOf).toEqual([{ berth: 1 }])
  await expect.poll(async () => (await cellsOf(page, ['id', 'berth › label']))[0]).toEqual(['1', 'A1'])
  await grid.focus()
  await page.keyboard.press('ControlOrMeta+z')
  await expect.poll(berthOf).toEqual([{ berth: 2 }])
  await expect.poll(async () => (await cellsOf(page, ['id', 'berth › label']))[0]).toEqual(['1', 'B2'])
  // Copied with the row, and read-only.
  for (const key of ['Control+Home', 'ArrowRight', 'ArrowRight', 'Enter']) await page.keyboard.press(key)
  await page.getByRole('complementary', { name: 'Row details' }).waitFor()
  await grid.focus()
  await page.keyboard.press('Shift+Space')
  await page.keyboard.press('ControlOrMeta+c')
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('1\t2\tB2\t')
  expect(watch.problems()).toEqual([])
})

test('a row opens its referring rows, and those that it refers to, by keyboard', async ({
  browser,
  site,
}) => {
  const { page, watch } = await open(browser, site, '/data/berths?sort=id&dir=asc')
  await page.getByRole('grid').focus()
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('Space')
  const referring = page.getByRole('region', { name: 'Referring rows' })
  const count = async (column: string) =>
    Number(
      (await site.sql.query<{ n: string }>(`select count(*) n from moorings where ${column} = 1`)).rows[0]?.n,
    )
  for (const [column, toggle] of [
    ['berth', 'moorings by berth'],
    ['left_for', 'moorings by left_for'],
  ] as const) {
    await referring.getByRole('button', { name: toggle }).focus()
    await page.keyboard.press('Enter')
    const rows = await count(column)
    await referring
      .getByText(new RegExp(`^${rows} row`))
      .first()
      .waitFor()
  }
  expect(await axeInThemes(page)).toEqual([])
  const link = page.getByRole('region', { name: 'Refers to' }).getByRole('link')
  expect(await link.textContent()).toMatch(/^harbours 1 Gullhaven/)
  await referring.getByRole('link', { name: 'Open moorings by berth' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('grid', { name: 'Rows of moorings' }).waitFor()
  expect(new URL(page.url()).searchParams.get('filter')).toContain('berth=eq.1')
  await page.getByText(`${await count('berth')} matching rows`).waitFor()
  // The page of the row comes back, and another row starts at its beginning.
  await page.goBack()
  await page.getByRole('grid', { name: 'Rows of berths' }).waitFor()
  expect(watch.problems()).toEqual([])
})
