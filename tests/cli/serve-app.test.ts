// The address of the app while the app is being built.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { serveApp } from '../../src/cli/start/serve-app.ts'
import { CHEAP } from '../harness/backend.ts'
import { atTestEnd } from '../harness/endings.ts'
import { freePort } from '../harness/free-port.ts'

test('a page that is opened too early says that the app is being built, and asks again', async () => {
  const appDir = await mkdtemp(join(tmpdir(), 'chartroom-app-'))
  atTestEnd(() => rm(appDir, { recursive: true, force: true }))
  const { promise, resolve: finish } = Promise.withResolvers<void>()
  const port = await freePort()
  const starting = serveApp({ port, appDir, build: promise, data: 'memory', auth: CHEAP })
  const page = () => fetch(`http://127.0.0.1:${port}/data`, { headers: { Accept: 'text/html' } })
  const read = async () => {
    const response = await page()
    return [response.status, response.headers.get('Retry-After'), await response.text()] as const
  }
  // Until the database is open, the backend answers that it is starting.
  await expect.poll(async () => (await read().catch(() => []))[2]).toContain('<h1>Building the app…</h1>')
  const [status, retryAfter, text] = await read()
  expect([status, retryAfter]).toEqual([503, '1'])
  expect(text).toContain('<meta http-equiv="refresh" content="1" />')

  // Everything else waits, as does what the app itself asks for.
  const config = fetch(`http://127.0.0.1:${port}/_chartroom/config`)
  await writeFile(join(appDir, 'index.html'), '<h1>The app</h1>')
  finish()
  const backend = await starting
  atTestEnd(() => backend.stop())
  expect([(await config).status, await (await page()).text()]).toEqual([200, '<h1>The app</h1>'])
})
