// Responses of the built app's server, with a fake build.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createSite, type Site } from '../../src/cli/start/site.ts'

const config = { name: 'harbour', url: 'http://127.0.0.1:1', key: 'sb_publishable_x', accounts: [] }
const JS = 'text/javascript; charset=utf-8'
const HTML = 'text/html; charset=utf-8'
const FOREVER = 'public, max-age=31536000, immutable'

let dir: string
let site: Site

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'chartroom-site-'))
  await mkdir(join(dir, 'app/assets'), { recursive: true })
  await writeFile(join(dir, 'app/index.html'), '<title>app</title>')
  await writeFile(join(dir, 'app/assets/index-abc.js'), 'app()')
  await writeFile(join(dir, 'secret.txt'), 'outside')
  site = createSite(join(dir, 'app'), async () => config)
})

afterAll(() => rm(dir, { recursive: true, force: true }))

const get = (path: string, headers: Record<string, string> = {}) =>
  site(new Request(`http://127.0.0.1:1${path}`, { headers }))

test.each([
  { path: '/', accept: '*/*', status: 200, type: HTML, caching: 'no-cache', body: '<title>app</title>' },
  {
    path: '/data/vessels',
    accept: 'text/html,*/*',
    status: 200,
    type: HTML,
    caching: 'no-cache',
    body: '<title>app</title>',
  },
  { path: '/assets/index-abc.js', accept: '*/*', status: 200, type: JS, caching: FOREVER, body: 'app()' },
  {
    path: '/_chartroom/config',
    accept: '*/*',
    status: 200,
    type: 'application/json',
    caching: 'no-store',
    body: JSON.stringify(config),
  },
])('GET $path with Accept $accept is served', async ({ path, accept, status, type, caching, body }) => {
  const response = await get(path, { Accept: accept })
  expect({
    status: response.status,
    type: response.headers.get('Content-Type'),
    caching: response.headers.get('Cache-Control'),
    sniffing: response.headers.get('X-Content-Type-Options'),
    body: await response.text(),
  }).toEqual({ status, type, caching, sniffing: 'nosniff', body })
})

test.each([
  { path: '/assets/index-old.js', accept: 'text/html,*/*' },
  { path: '/favicon.ico', accept: 'image/*' },
  { path: '/%2e%2e/secret.txt', accept: '*/*' },
  { path: '/..%2fsecret.txt', accept: '*/*' },
])('GET $path with Accept $accept is not found', async ({ path, accept }) => {
  const response = await get(path, { Accept: accept })
  expect([response.status, response.headers.get('Cache-Control')]).toEqual([404, null])
})

test('an unchanged page is not sent again', async () => {
  const tag = (await get('/')).headers.get('ETag') ?? ''
  const again = await get('/', { 'If-None-Match': tag })
  expect([again.status, again.headers.get('Cache-Control'), await again.text()]).toEqual([
    304,
    'no-cache',
    '',
  ])
})

test('a config request before the backend is ready waits for it', async () => {
  const { promise, resolve } = Promise.withResolvers<typeof config>()
  const early = createSite(dir, () => promise)(new Request('http://127.0.0.1:1/_chartroom/config'))
  resolve(config)
  expect(await (await early).json()).toEqual(config)
})

test('a failed backend is reported without a stack', async () => {
  const print = vi.spyOn(console, 'error').mockReturnValue()
  const failing = createSite(dir, () => Promise.reject(new Error('no backend')))
  const response = await failing(new Request('http://127.0.0.1:1/_chartroom/config'))
  expect([response.status, await response.text()]).toEqual([500, 'Failed to serve the app.'])
  expect(print).not.toHaveBeenCalled()
  print.mockRestore()
})

test('scripts may only come from the assets folder, because user files share the origin', async () => {
  const policy = (await get('/')).headers.get('Content-Security-Policy') ?? ''
  expect(policy.split('; ').filter(part => /^(script|worker|frame)-/.test(part))).toEqual([
    'script-src http://127.0.0.1:1/assets/',
    'worker-src http://127.0.0.1:1/assets/',
    'frame-src blob:',
    "frame-ancestors 'none'",
  ])
})
