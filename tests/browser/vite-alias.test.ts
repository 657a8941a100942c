// `chartroom/vite` in a development server: what a page's modules get, with dependencies that Vite optimizes.
import { join } from 'node:path'
import { createServer } from 'vite'
import { expect } from 'vitest'
import { chartroomAlias } from '../../src/public/vite.ts'
import { writeAliasApp } from '../harness/alias-app.ts'
import { withBrowser as test } from '../harness/browser.ts'
import { atTestEnd } from '../harness/endings.ts'
import { watchPage } from '../harness/page-watch.ts'

async function serve(): Promise<string> {
  const folder = await writeAliasApp(atTestEnd)
  const server = await createServer({
    configFile: false,
    root: folder,
    cacheDir: join(folder, '.cache'),
    logLevel: 'error',
    plugins: [chartroomAlias()],
    server: { host: '127.0.0.1', port: 0 },
  })
  await server.listen()
  atTestEnd(() => server.close())
  return server.resolvedUrls?.local[0] ?? ''
}

test('the app has Chartroom’s client, its libraries have supabase-js, and the page loads once', async ({
  browser,
}) => {
  const url = await serve()
  const page = await browser.newPage()
  const watch = watchPage(page)
  let loads = 0
  page.on('load', () => void loads++)
  await page.goto(url)
  await page.waitForFunction(() => document.title !== 'App')
  expect(JSON.parse(await page.title())).toMatchObject({
    app: true,
    phase: 'booting',
    isSame: true,
    library: false,
    others: expect.arrayContaining(['SupabaseClient', 'FunctionRegion']) as unknown,
  })
  expect(loads).toBe(1)
  expect(watch.problems()).toEqual([])
  await page.close()
})
