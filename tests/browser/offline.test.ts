// Writes made offline, in two tabs and over a reload. A trigger notes each change of the table: what PostgreSQL has
// counted is compared with what was written.
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { startOwnBackend } from '../harness/backend.ts'
import { withBrowser } from '../harness/browser.ts'
import { bundled } from '../harness/bundled.ts'
import { atTestEnd } from '../harness/endings.ts'
import { loggedChanges, OFFLINE_TABLES } from '../harness/offline-tables.ts'
import { directSql } from '../harness/realtime.ts'

/** The page's modules by their paths. */
async function bundle() {
  const parts = await bundled({ rollupOptions: { input: 'tests/harness/offline-page.ts' } })
  const files = new Map<string, string>()
  let entry = ''
  for (const part of parts) {
    files.set(`/${part.fileName}`, part.type === 'chunk' ? part.code : String(part.source))
    if (part.type === 'chunk' && part.isEntry) entry = `/${part.fileName}`
  }
  return { files, entry }
}

withBrowser('50 writes offline over two tabs and a reload', async ({ browser }) => {
  const { files, entry } = await bundle()
  const backend = await startOwnBackend({
    databaseAccess: {},
    site: request => {
      const code = files.get(new URL(request.url).pathname)
      const type = code === undefined ? 'text/html' : 'text/javascript'
      const page = `<!doctype html><link rel="icon" href="data:,"><script type="module" src="${entry}"></script>`
      return new Response(code ?? page, { headers: { 'content-type': type } })
    },
  })
  const sql = directSql(backend)
  await sql.unsafe(OFFLINE_TABLES)
  const context = await browser.newContext()
  atTestEnd(() => context.close())
  // The app's own files come from its service worker, or here from the test, when there is no network.
  await context.route(
    url => files.has(url.pathname) || url.pathname === '/app',
    async route => {
      const { pathname } = new URL(route.request().url())
      const code = files.get(pathname)
      const page = `<!doctype html><link rel="icon" href="data:,"><script type="module" src="${entry}"></script>`
      await route.fulfill({
        body: code ?? page,
        contentType: code === undefined ? 'text/html' : 'text/javascript',
      })
    },
  )
  /** Requests that wrote, by the tab that sent them. */
  const writers: Page[] = []
  context.on('request', request => {
    if (request.method() !== 'GET' && new URL(request.url()).pathname.startsWith('/rest/'))
      writers.push(request.frame().page())
  })
  const isReady = async (page: Page) => {
    await page.waitForFunction(() => 'offlinePage' in window)
    await page.evaluate(() => window.offlinePage.ready())
  }
  const open = async () => {
    const page = await context.newPage()
    await page.goto(`${backend.url}/app?key=${encodeURIComponent(backend.publishableKey)}`)
    await isReady(page)
    return page
  }
  const add = (page: Page, title: string) => page.evaluate(text => window.offlinePage.add(text), title)
  const titles = (page: Page) => page.evaluate(() => window.offlinePage.titles())
  const list = (page: Page) =>
    page.evaluate(() =>
      window.offlinePage.list().map(({ id, phase, failure }) => ({ id, phase, code: failure?.code })),
    )

  const one = await open()
  const account = backend.accounts.find(({ email }) => email.startsWith('skipper@'))
  await one.evaluate(
    async given => {
      await window.offlinePage.client.auth.signInWithPassword(given)
    },
    account ?? { email: '', password: '' },
  )
  const two = await open()
  const shared = await add(one, 'shared')
  await expect.poll(() => titles(two)).toEqual(['shared'])
  await expect.poll(() => list(one)).toEqual([])
  expect(await one.evaluate(() => window.offlinePage.status().isDurable)).toBe(true)
  expect(await loggedChanges(sql)).toMatchObject([{ kind: 'INSERT', title: 'shared' }])
  writers.length = 0

  await context.setOffline(true)
  const made: string[] = []
  const write = async (page: Page, title: string) => {
    await add(page, title)
    made.push(`INSERT ${title}`)
  }
  for (let n = 1; n <= 20; n++) await write(n % 3 === 0 ? two : one, `write ${n}`)
  await one.evaluate(([id = '']) => window.offlinePage.rename(id, 'mine'), [shared])
  made.push('UPDATE mine')
  await one.reload()
  await isReady(one)
  await expect.poll(() => titles(one)).toContain('write 1')
  // The rows of the backend are not there without it; what waits is.
  expect((await titles(one)).length).toBe(21)
  await add(two, 'forbidden')
  for (let n = 23; n <= 50; n++) await write(n % 4 === 0 ? two : one, `write ${n}`)
  for (const page of [one, two]) await expect.poll(async () => (await list(page)).length).toBe(50)
  expect((await loggedChanges(sql)).length).toBe(1)
  // Another device.
  await sql`update todos set title = 'theirs' where id = ${shared}`

  await context.setOffline(false)
  for (const page of [one, two])
    await expect.poll(async () => (await list(page)).map(({ phase }) => phase)[0]).toBe('asking')
  expect(
    await two.evaluate(() =>
      window.offlinePage.conflicts.map(({ row, theirs }) => [row?.['title'], theirs?.['title']]),
    ),
  ).toEqual([['mine', 'theirs']])
  // Exactly what was made before it, and nothing after it.
  expect((await loggedChanges(sql)).length).toBe(2 + 20)
  const [asking] = await list(two)
  await two.evaluate(id => window.offlinePage.keepMine(id), asking?.id ?? '')
  for (const page of [one, two])
    await expect
      .poll(async () => (await list(page)).map(({ phase, code }) => [phase, code]))
      .toEqual([['refused', '23514']])
  const log = (await loggedChanges(sql)).map(({ kind, title }) => `${kind} ${title}`)
  const first = ['INSERT shared', 'UPDATE theirs']
  expect(log).toEqual([...first, ...made])
  expect(made.length + 1).toBe(50)
  const all = (await sql`select title from todos`).map(({ title }) => title as string).sort()
  expect(all.length).toBe(49)
  for (const page of [one, two]) await expect.poll(() => titles(page)).toEqual(all)
  expect(await two.evaluate(() => window.offlinePage.refusals.map(({ row }) => row?.['title']))).toEqual([
    'forbidden',
  ])
  // 50 writes, and the one that was asked a second time.
  expect(writers.length).toBe(51)
})
