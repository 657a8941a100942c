// The project of the embedded backend in the workbench: its first user, its page, and files that change.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { startHarbour } from '../../scripts/harbour.ts'
import { axeInThemes } from '../harness/axe.ts'
import { withBrowser } from '../harness/browser.ts'
import { atTestEnd } from '../harness/endings.ts'
import { watchPage } from '../harness/page-watch.ts'
import { WorkbenchPage } from '../harness/workbench-page.ts'

const NOTES = `create table public.notes (id bigint generated always as identity primary key, body text not null);
alter table public.notes enable row level security;
create policy notes on public.notes to authenticated using (true);
grant select on public.notes to authenticated;`

const ACCOUNT = { email: 'ann@example.test', password: 'secret-123' }

const test = withBrowser.extend('project', async ({ browser }, { onCleanup }) => {
  const folder = await mkdtemp(join(tmpdir(), 'chartroom-browser-project-'))
  atTestEnd(() => rm(folder, { recursive: true, force: true }))
  const write = (name: string, text: string) => writeFile(join(folder, 'supabase', name), text)
  await mkdir(join(folder, 'supabase', 'migrations'), { recursive: true })
  await write('migrations/20260101000000_notes.sql', NOTES)
  await write('seed.sql', "insert into public.notes (body) values ('seeded');")
  const start = (port: number) =>
    startHarbour({ port, data: 'memory', project: folder, followProject: true, isBuilt: true })
  let backend = await start(0)
  const { url, port } = backend
  const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
  const workbench = new WorkbenchPage(page, url)
  onCleanup(async () => {
    await page.context().close()
    await backend.stop()
  })
  return {
    page,
    workbench,
    write,
    stop: () => backend.stop(),
    restart: async () => {
      backend = await start(port)
    },
  }
})

/** The first field has the focus, and keeps it. */
async function expectFocusOnEmail(page: Page): Promise<void> {
  const focused = (frames: number) =>
    page.evaluate(async many => {
      for (let frame = 0; frame < many; frame += 1) await new Promise(done => requestAnimationFrame(done))
      return document.activeElement?.getAttribute('autocomplete')
    }, frames)
  await expect.poll(() => focused(0)).toBe('username')
  expect(await focused(30)).toBe('username')
}

/** By keyboard alone. */
async function createFirstUser(page: Page): Promise<void> {
  await page.getByRole('form', { name: 'Create the first user' }).waitFor()
  await expectFocusOnEmail(page)
  await page.keyboard.type(ACCOUNT.email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(ACCOUNT.password)
  await page.keyboard.press('Enter')
}

const tableLink = (page: Page, name: string) =>
  page.getByRole('navigation').getByRole('link', { name, exact: true })

test('opens on its first user, then on its rows; a new migration lists its table without a reload', async ({
  project: { page, workbench, write },
}) => {
  await workbench.open()
  await createFirstUser(page)
  await page
    .getByRole('grid', { name: /^Rows of notes/ })
    .getByText('seeded')
    .waitFor()
  expect(await tableLink(page, 'tags').count()).toBe(0)
  await page.evaluate(() => Object.assign(window, { isSamePage: true }))
  await write(
    'migrations/20260102000000_tags.sql',
    'create table public.tags (name text primary key); grant select on public.tags to authenticated;',
  )
  await tableLink(page, 'tags').waitFor()
  await page.getByText('Applied 20260102000000_tags.sql').waitFor()
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true)
})

test('a broken migration is shown with its line until it is corrected; a changed one offers a reset', async ({
  project: { page, workbench, write },
}) => {
  const watch = watchPage(page)
  await workbench.open('/project')
  await createFirstUser(page)
  await page.getByRole('region', { name: 'Migrations' }).waitFor()
  await write('migrations/20260102000000_tags.sql', '-- Tags.\ncreate table public.tags (\n  name txt\n);\n')
  const refused = page.getByRole('alert', { name: 'Refused file' })
  await refused.getByText('type "txt" does not exist.').waitFor()
  expect(await refused.locator('[aria-current]').innerText()).toMatch(/3\s+name txt/)
  expect(await refused.getByRole('heading').innerText()).toBe('supabase/migrations/20260102000000_tags.sql:3')
  await page.getByRole('row', { name: /20260102000000 tags failed/ }).waitFor()
  await page.getByRole('link', { name: /^Project\s*failed/ }).waitFor()
  expect(await axeInThemes(page)).toEqual([])

  await write('migrations/20260102000000_tags.sql', 'create table public.tags (name text primary key);')
  await page.getByRole('row', { name: /20260102000000 tags applied [A-Z][a-z]{2} \d+, \d{4}, / }).waitFor()
  expect(await refused.count()).toBe(0)
  // The API refuses it as hosted projects do.
  await page
    .getByRole('region', { name: 'Missing grants' })
    .getByText(/grant .* on table public\.tags/)
    .waitFor()

  await write('migrations/20260102000000_tags.sql', 'create table public.labels (name text primary key);')
  await page.getByRole('row', { name: /20260102000000 tags changed/ }).waitFor()
  expect(watch.problems()).toEqual([])
  watch.allow(/status of (?:503|403|401)/, /WebSocket|ERR_/)
  await page.getByRole('button', { name: 'Reset…' }).first().press('Enter')
  const question = page.getByRole('alertdialog', { name: /^Reset / })
  await question.getByText('Everybody is signed out.').waitFor()
  await question.getByRole('button', { name: 'Delete and reset' }).press('Enter')
  // Its users are gone.
  await page.getByRole('form', { name: 'Create the first user' }).waitFor()
  await expectFocusOnEmail(page)
  await page.getByLabel('Email').fill(ACCOUNT.email)
  await page.getByLabel('Password', { exact: true }).fill(ACCOUNT.password)
  await page.getByRole('button', { name: 'Create user' }).click()
  await page.getByRole('row', { name: /20260102000000 tags applied/ }).waitFor()
  await workbench.goTo('Data')
  await tableLink(page, 'labels').waitFor()
  expect(await tableLink(page, 'tags').count()).toBe(0)
  expect(watch.problems()).toEqual([])
})

test('a stopped backend is named, and the page follows it again once it is back', async ({
  project: { page, workbench, write, stop, restart },
}) => {
  await workbench.open('/project')
  await createFirstUser(page)
  await page.getByRole('row', { name: /20260101000000 notes applied/ }).waitFor()
  await stop()
  await page.getByText('The backend does not respond; below is what it said last.').waitFor()
  await page.getByRole('row', { name: /20260101000000 notes applied/ }).waitFor()
  await write('migrations/20260102000000_tags.sql', 'create table public.tags (name text primary key);')
  await restart()
  await page.getByRole('row', { name: /20260102000000 tags applied/ }).waitFor()
  expect(await page.getByText('The backend does not respond').count()).toBe(0)
})
