// The diagram of tables and foreign keys, by pointer and by keyboard alone; its oracle is pg_constraint.
import { readFile } from 'node:fs/promises'
import pg from 'pg'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import { startHarbour } from '../../scripts/harbour.ts'
import { axeInThemes } from '../harness/axe.ts'
import { CHEAP } from '../harness/backend.ts'
import { withBrowser } from '../harness/browser.ts'
import { atFileEnd } from '../harness/endings.ts'
import { manyTables } from '../harness/many-tables.ts'
import { WorkbenchPage } from '../harness/workbench-page.ts'

const SHOP = `
  create table customers (id int primary key, name text not null);
  create table orders (id int primary key, customer int not null references customers, payer int references customers);
  create table products (sku text, vendor int, primary key (sku, vendor));
  create table lines (
    order_id int references orders, line int, sku text, vendor int,
    primary key (order_id, line), foreign key (sku, vendor) references products
  );
  create table staff (id int primary key, boss int references staff);
  create table "<script>alert(1)</script> & ""x""" (id int primary key, "طلب" int references orders);
  create view sums as select count(*) as n from orders;
  create table yard.slips (id int primary key, member int references public.staff);
  grant usage on schema yard to authenticated;
  grant all on yard.slips to authenticated;
  alter role authenticator set pgrst.db_schemas = 'public, yard';
  notify pgrst, 'reload config';
  notify pgrst, 'reload schema';
`

const HOSTILE = '<script>alert(1)</script> & "x"'

async function startSite(script: string, table: string) {
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
  await sql.query(script)
  await expect
    .poll(async () => (await (await fetch(`${backend.url}/_chartroom/schema`)).text()).includes(table))
    .toBe(true)
  return { backend, sql }
}

const test = withBrowser.extend('site', { scope: 'file' }, () =>
  startSite(`create schema yard; ${SHOP}`, 'slips_member_fkey'),
)

type Site = Awaited<ReturnType<typeof startSite>>

async function open(browser: Browser, { backend }: Site, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    ...options,
  })
  atFileEnd(() => context.close())
  const workbench = new WorkbenchPage(await context.newPage(), backend.url)
  const account = backend.accounts.find(({ email }) => email.startsWith('skipper@'))
  if (account === undefined) throw new Error('There is no skipper.')
  await workbench.openAs(account, '/diagram')
  await diagramIn(workbench.page).waitFor()
  return workbench
}

const diagramIn = (page: Page) => page.getByRole('application')
const tableIn = (page: Page, name: string) =>
  diagramIn(page).getByRole('link', { name: new RegExp(`^${name}[:,]`) })
const toneOf = (page: Page, name: string) => tableIn(page, name).locator('..').getAttribute('data-tone')
const searchIn = (page: Page) => page.getByRole('textbox', { name: 'Find a table' })
const titleOf = (page: Page, table: string) => page.getByRole('heading', { level: 1, name: table })

/** Between the listed tables. */
const KEYS = `
  select count(*)::int as count from pg_constraint k join pg_class c on c.oid = k.conrelid
    join pg_class f on f.oid = k.confrelid
  where k.contype = 'f' and c.relnamespace in ('public'::regnamespace, 'yard'::regnamespace)
    and f.relnamespace in ('public'::regnamespace, 'yard'::regnamespace)`

test('all foreign keys are drawn, and a click opens a table', async ({ browser, site }) => {
  const { page, watch } = await open(browser, site)
  const { rows } = await site.sql.query<{ count: number }>(KEYS)
  const keys = rows[0]?.count ?? 0
  expect(keys).toBeGreaterThanOrEqual(8)
  expect(await diagramIn(page).locator('[data-key]').count()).toBe(keys)
  await diagramIn(page)
    .getByRole('link', { name: `${HOSTILE}:` })
    .waitFor()
  await tableIn(page, 'sums').waitFor()
  expect(await tableIn(page, 'sums').getAttribute('aria-label')).toBe('sums, view: 1 column')
  // Others than the pointed table and its relations are dimmed.
  await tableIn(page, 'orders').hover()
  await expect.poll(() => toneOf(page, 'orders')).toBe('active')
  expect(await toneOf(page, 'customers')).toBe('near')
  expect(await toneOf(page, 'staff')).toBe('dim')
  expect(await diagramIn(page).locator('[data-key][data-tone=active]').count()).toBe(4)
  // A drag moves the diagram and opens nothing.
  const box = await tableIn(page, 'orders').boundingBox()
  if (box === null) throw new Error('orders is not drawn.')
  const [x, y] = [box.x + box.width / 2, box.y + 12]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + 80, y + 30, { steps: 4 })
  await page.mouse.up()
  const moved = await tableIn(page, 'orders').boundingBox()
  expect(Math.round((moved?.x ?? 0) - box.x)).toBe(80)
  expect(new URL(page.url()).pathname).toBe('/diagram')
  await page.mouse.click(x + 80, y + 30)
  await titleOf(page, 'orders').waitFor()
  expect(watch.problems()).toEqual([])
})

test('the diagram is used by keys alone', async ({ browser, site }) => {
  const { page, watch } = await open(browser, site)
  const percent = async () => parseInt(await page.getByText(/^\d+ %$/).innerText(), 10)
  await page.keyboard.press('f')
  await expect.poll(() => searchIn(page).evaluate(field => field === document.activeElement)).toBe(true)
  await page.keyboard.type('lines')
  await page.getByRole('status').getByText('1 of 1 match').waitFor()
  expect(await toneOf(page, 'lines')).toBe('active')
  await page.keyboard.press('Enter')
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')
  expect(await focused()).toBe('lines: 4 columns, refers to orders, products')
  const before = await percent()
  await page.keyboard.press('-')
  await expect.poll(percent).toBeLessThan(before)
  await page.keyboard.press('+')
  await expect.poll(percent).toBe(before)
  const place = async () => (await tableIn(page, 'lines').boundingBox())?.x ?? 0
  const at = await place()
  await page.keyboard.press('ArrowLeft')
  await expect.poll(async () => Math.round((await place()) - at)).toBe(60)
  // Tables are in the order of the list, and the focused one is brought into the view.
  await page.keyboard.press('Tab')
  expect(await focused()).toBe('log_entries: 8 columns, refers to voyages')
  for (let n = 0; n < 12; n += 1) await page.keyboard.press('+')
  await page.keyboard.press('Shift+Tab')
  const box = await tableIn(page, 'lines').boundingBox()
  const pane = await diagramIn(page).boundingBox()
  const [middle, edge] = [(box?.x ?? 0) + (box?.width ?? 0) / 2, pane?.x ?? 0]
  expect(middle).toBeGreaterThan(edge)
  expect(middle).toBeLessThan(edge + (pane?.width ?? 0))
  await page.keyboard.press('0')
  await page.keyboard.press('Enter')
  await titleOf(page, 'lines').waitFor()
  // Back by the keys of the app.
  await page.keyboard.press('Escape')
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
  await page.keyboard.press('g')
  await page.keyboard.press('k')
  await diagramIn(page).waitFor()
  expect(watch.problems()).toEqual([])
})

test('the file is XML with the names as text, and runs nothing', async ({ browser, site }) => {
  const { page, watch } = await open(browser, site)
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download SVG' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toMatch(/^harbour.*-public-yard\.svg$/)
  const svg = await readFile(await download.path(), 'utf8')
  const read = await page.evaluate(text => {
    const parsed = new DOMParser().parseFromString(text, 'image/svg+xml')
    const elements = [...parsed.querySelectorAll('*')]
    return {
      error: parsed.querySelector('parsererror')?.textContent ?? '',
      kinds: [...new Set(elements.map(({ localName }) => localName))].sort(),
      texts: [...parsed.querySelectorAll('text')].map(({ textContent }) => textContent),
      attributes: [...new Set(elements.flatMap(element => element.getAttributeNames()))],
      lines: parsed.querySelectorAll('svg > path').length,
    }
  }, svg)
  expect(read.error).toBe('')
  expect(read.kinds).toEqual(['g', 'path', 'rect', 'svg', 'text', 'title'])
  expect(read.texts).toContain(HOSTILE)
  expect(read.texts).toContain('طلب')
  expect(read.attributes.filter(name => /^on|href|style|src/.test(name))).toEqual([])
  const { rows } = await site.sql.query<{ count: number }>(KEYS)
  expect(read.lines).toBe(rows[0]?.count)
  // Only the diagram is printed.
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute('data-printed', '')
  })
  await page.getByRole('button', { name: 'Print' }).click()
  await page.locator('body[data-printed]').waitFor()
  await page.emulateMedia({ media: 'print' })
  await page.getByRole('img', { name: /public, yard/ }).waitFor()
  expect(await diagramIn(page).isVisible()).toBe(false)
  // The pane has no size on paper, which the page notices a frame later.
  await page.evaluate(
    () => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
  expect(await page.getByAltText(/public, yard/).isVisible()).toBe(true)
  await page.emulateMedia({ media: 'screen' })
  await page.evaluate(() => dispatchEvent(new Event('afterprint')))
  await expect.poll(() => page.getByAltText(/public, yard/).count()).toBe(0)
  expect(watch.problems()).toEqual([])
})

test('the list has the tables with their references, and shows them in the diagram', async ({
  browser,
  site,
}) => {
  const { page, watch } = await open(browser, site)
  const list = page.getByRole('complementary', { name: 'Tables and references' })
  const orders = list
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name: 'orders', exact: true }) })
  await orders.getByText('refers to customers').waitFor()
  expect(await axeInThemes(page)).toEqual([])
  await orders.getByRole('button', { name: 'Show orders in the diagram' }).click()
  await expect.poll(() => toneOf(page, 'orders')).toBe('active')
  await page.getByRole('button', { name: 'List' }).click()
  expect(await list.count()).toBe(0)
  expect(watch.problems()).toEqual([])
})

test('it fits a narrow window', async ({ browser, site }) => {
  const { page, watch } = await open(browser, site, { viewport: { width: 390, height: 800 } })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await page.getByRole('button', { name: 'List' }).click()
  await page.getByRole('button', { name: 'Show lines in the diagram' }).click()
  await expect.poll(() => toneOf(page, 'lines')).toBe('active')
  expect(await axeInThemes(page)).toEqual([])
  expect(watch.problems()).toEqual([])
})

test('200 tables are laid out in a worker and drawn as names', async ({ browser }) => {
  const site = await startSite(manyTables(200), 'audit_')
  const { page, watch } = await open(browser, site)
  expect(await diagramIn(page).getByRole('link').count()).toBeGreaterThanOrEqual(200)
  await expect.poll(() => diagramIn(page).getByText('name', { exact: true }).count()).toBe(0)
  await searchIn(page).fill('hr_crew_items')
  await diagramIn(page).getByText('name', { exact: true }).first().waitFor()
  expect(watch.problems()).toEqual([])
})
