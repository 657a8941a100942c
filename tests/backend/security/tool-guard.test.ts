// Access to `/_chartroom`: only from this machine, and for pages of the same origin.
import { networkInterfaces } from 'node:os'
import { describe, expect, test } from 'vitest'
import { refuseTool } from '../../../backend/gateway/tool-guard.ts'
import { officialClient, startTestBackend } from '../../harness/backend.ts'

const navigate = { 'sec-fetch-mode': 'navigate' }
const host = '127.0.0.1:7'
const isRefused = (
  headers: Readonly<Record<string, string>>,
  remoteAddress: string | undefined = '127.0.0.1',
  isForNetwork = false,
) =>
  refuseTool({ method: 'GET', headers: { host, ...headers }, socket: { remoteAddress } }, isForNetwork) !==
  undefined

test.each([
  ['a page of another site', { origin: 'https://evil.test' }, true],
  ['a page on another port', { origin: 'http://127.0.0.1:1' }, true],
  ['a page without an origin', { origin: 'null' }, true],
  ['an image elsewhere', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }, true],
  [
    'a page on another port, without an origin',
    { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' },
    true,
  ],
  ['a frame elsewhere', { ...navigate, 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'iframe' }, true],
  [
    'a form elsewhere',
    { ...navigate, origin: 'null', 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' },
    true,
  ],
  ['a program', {}, false],
  ['its own page', { origin: 'http://127.0.0.1:7', 'sec-fetch-site': 'same-origin' }, false],
  ['a typed address', { ...navigate, 'sec-fetch-site': 'none', 'sec-fetch-dest': 'document' }, false],
  ['a followed link', { ...navigate, 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' }, false],
])('%s is refused: %o %s', (_name, headers: Record<string, string>, refused) => {
  expect([isRefused(headers), isRefused(headers, '127.0.0.1', true)]).toEqual([refused, refused])
})

test.each([
  ['127.0.0.1', false],
  ['127.0.1.1', false],
  ['::1', false],
  ['::ffff:127.0.0.1', false],
  ['192.168.1.7', true],
  ['127.0.0.1.evil.test', true],
])('a caller at %s is refused: %s, unless the tool is enabled for the network', (peer, refused) => {
  expect([isRefused({}, peer), isRefused({}, peer, true)]).toEqual([refused, false])
})

test.each([
  { 'x-forwarded-for': '203.0.113.7' },
  { 'x-forwarded-host': 'boat.test' },
  { 'x-forwarded-proto': 'https' },
  { 'x-real-ip': '203.0.113.7' },
  { forwarded: 'for=203.0.113.7' },
  { via: '1.1 tunnel' },
  { host: 'boat.test:7' },
])('requests forwarded by a proxy on this machine are refused: %o', headers => {
  expect(isRefused(headers)).toBe(true)
})

const PATHS = [
  'health',
  'config',
  'inbox',
  'inbox.json',
  'faults',
  'oauth/github',
  'oauth/github/keys',
  'none',
]

describe('on one server', async () => {
  const backend = await startTestBackend({ site: () => new Response('site') })

  test.each(PATHS)('%s is guarded', async path => {
    for (const address of [`/_chartroom/${path}`, `/%5Fchartroom/${path}`, `/a/../_chartroom/${path}`]) {
      const call = (headers: Record<string, string>) => fetch(`${backend.url}${address}`, { headers })
      expect((await call({ 'x-forwarded-for': '203.0.113.7' })).status).toBe(403)
      expect((await call({ 'sec-fetch-site': 'cross-site' })).status).toBe(403)
      expect((await call({ origin: 'http://localhost:1' })).status).toBe(403)
      expect((await call({})).status).not.toBe(403)
    }
  })
})

const own = Object.values(networkInterfaces())
  .flatMap(list => list ?? [])
  .find(one => !one.internal && one.family === 'IPv4')?.address

describe('on the network', async () => {
  const [wide, enabled] = await Promise.all([
    startTestBackend({ host: '0.0.0.0' }),
    startTestBackend({ host: '0.0.0.0', oauthStandIn: true }),
  ])
  const signIn = (backend: typeof wide) =>
    officialClient(backend).auth.signInWithOAuth({
      provider: 'github',
      options: { skipBrowserRedirect: true },
    })

  test('the OAuth stand-in is off by default', async () => {
    const address = (await signIn(wide)).data.url ?? ''
    const response = await fetch(address, { redirect: 'manual' })
    expect(await response.json()).toMatchObject({ msg: 'Unsupported provider: provider is not enabled' })
    const settings = await fetch(`${wide.url}/auth/v1/settings`, { headers: { apikey: wide.publishableKey } })
    expect(await settings.json()).toMatchObject({ external: { github: false, google: false, email: true } })
  })

  test('the OAuth stand-in can be enabled', async () => {
    const response = await fetch((await signIn(enabled)).data.url ?? '', { redirect: 'manual' })
    expect(response.headers.get('location')).toContain('/_chartroom/oauth/github?')
  })

  test.skipIf(own === undefined)('other machines only reach the enabled OAuth stand-in', async () => {
    const statuses = async ({ port }: typeof wide) =>
      Promise.all(PATHS.map(async path => (await fetch(`http://${own}:${port}/_chartroom/${path}`)).status))
    expect(await statuses(wide)).toEqual([403, 403, 403, 403, 403, 403, 403, 403])
    expect(await statuses(enabled)).toEqual([403, 403, 403, 403, 403, 400, 200, 403])
  })
})
