// Web sites that the developer has open: what their pages may request from the backend.
import { request } from 'node:http'
import { WebSocket } from 'ws'
import { describe, expect, test } from 'vitest'
import { createOriginPolicy, parseOrigin } from '../../../backend/gateway/origins.ts'
import { startBackend } from '../../../backend/index.ts'
import { startTestBackend } from '../../harness/backend.ts'

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36'
const EVIL = 'https://evil.example'

const backend = await startTestBackend({
  allowOrigins: ['https://app.example:8443', 'tauri://localhost'],
  auth: {
    siteUrl: 'https://site.example/start',
    redirectUrls: ['https://preview.example/**', 'https://*.example.com'],
  },
  site: () => new Response('the app'),
})
const { url, publishableKey: apikey } = backend

const loopback = [
  'http://localhost:3000',
  'https://127.0.0.1:1',
  'http://127.8.9.10',
  'http://[::1]:5173',
  'http://a.localhost',
]
const given = [
  'https://app.example:8443',
  'tauri://localhost',
  'https://site.example',
  'https://preview.example',
]
const foreign = [
  EVIL,
  'null',
  '',
  'https://app.example',
  'http://app.example:8443',
  'https://a.example.com',
  'http://localhost.evil.example',
  'http://127.0.0.1.evil.example',
  'http://evil.example:4400',
  'file://',
  'chrome-extension://localhost',
]

/** Undici does not allow setting Origin and Host freely. */
function send(path: string, headers: Readonly<Record<string, string>>, method = 'GET', body = '') {
  return new Promise<{ status: number | undefined; allowed: string | undefined; body: string }>(
    (resolve, reject) => {
      request(`${url}${path}`, { method, headers }, response => {
        let text = ''
        response.on('data', chunk => (text += chunk))
        response.on('end', () => {
          const { statusCode: status, headers: answered } = response
          resolve({ status, allowed: answered['access-control-allow-origin'], body: text })
        })
      })
        .on('error', reject)
        .end(body)
    },
  )
}

function openSocket(headers: Readonly<Record<string, string>>): Promise<number> {
  const address = `${url.replace('http', 'ws')}/realtime/v1/websocket?vsn=2.0.0&apikey=${apikey}`
  const socket = new WebSocket(address, { headers })
  return new Promise((resolve, reject) => {
    socket.on('open', () => socket.close())
    socket.on('close', () => resolve(101))
    socket.on('unexpected-response', (_request, response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
      socket.on('error', () => undefined)
      socket.terminate()
    })
    socket.on('error', reject)
  })
}

describe.each([...loopback, ...given, url])('a page of %s', origin => {
  test('calls and reads every service, and opens sockets', async () => {
    for (const path of ['/rest/v1/vessels?limit=1', '/auth/v1/settings', '/storage/v1/bucket']) {
      expect([path, await send(path, { apikey, origin })]).toEqual([
        path,
        expect.objectContaining({ status: 200, allowed: origin }),
      ])
    }
    expect(await openSocket({ origin })).toBe(101)
  })
})

describe.each(foreign)('a page of "%s"', origin => {
  test('is refused by every family, by the tools and by sockets, without CORS headers', async () => {
    const paths = [
      '/rest/v1/vessels?limit=1',
      '/auth/v1/settings',
      '/auth/v1/health',
      '/storage/v1/object/public/charts/a.png',
      '/functions/v1/echo',
      '/realtime/v1/api/broadcast',
      '/_chartroom/config',
      '/_chartroom/inbox.json',
      '/_chartroom/health',
      '/',
    ]
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      for (const path of paths) {
        const answer = await send(path, { apikey, origin, 'access-control-request-method': 'POST' }, method)
        expect([method, path, answer.status, answer.allowed]).toEqual([method, path, 403, undefined])
      }
    }
    expect(await openSocket({ origin })).toBe(403)
  })
})

test('the refusal names the flag that allows the page', async () => {
  expect(JSON.parse((await send('/rest/v1/vessels', { apikey, origin: EVIL })).body)).toEqual({
    message: 'Pages of https://evil.example may not use this backend',
    hint: 'If the page is yours, start the backend with --allow-origin https://evil.example',
  })
  expect(JSON.parse((await send('/rest/v1/vessels', { apikey, origin: 'null' })).body)).toEqual({
    message: 'Pages without an origin may not use this backend',
  })
})

test('a foreign page cannot sign up, since its simple request is refused before it acts', async () => {
  const headers = { origin: EVIL, 'content-type': 'text/plain', 'user-agent': CHROME }
  const body = JSON.stringify({ email: 'w@evil.example', password: 'secret-enough' })
  expect((await send(`/auth/v1/signup?apikey=${apikey}`, headers, 'POST', body)).status).toBe(403)
  const signIn = await send(
    '/auth/v1/token?grant_type=password',
    { apikey, 'content-type': 'application/json' },
    'POST',
    body,
  )
  expect(JSON.parse(signIn.body)).toMatchObject({ error_code: 'invalid_credentials' })
})

describe('a cross-site request without an origin (images, scripts, links)', () => {
  const site = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'user-agent': CHROME }

  test.each([
    ['with a key', `/rest/v1/vessels?limit=1&apikey=${apikey}`, {}, 403],
    ['with a key under an encoded name', `/rest/v1/vessels?limit=1&%61pikey=${apikey}`, {}, 403],
    ['with a key, from a foreign page', `/rest/v1/vessels?apikey=${apikey}`, { referer: `${EVIL}/a` }, 403],
    [
      'with a key, from a loopback page',
      `/storage/v1/bucket?apikey=${apikey}`,
      { referer: 'http://localhost:3000/' },
      200,
    ],
    ['for a public file', '/storage/v1/object/public/none/a.png', {}, 400],
    ['for a link in an email', '/auth/v1/verify?token=x&type=signup', {}, 303],
    ['for a sign-in at a provider', '/auth/v1/authorize?provider=github', {}, 302],
    ['for the app', '/', {}, 200],
  ])('%s', async (_name, path, headers, status) => {
    expect((await send(path, { ...site, ...headers })).status).toBe(status)
  })
})

test('programs, which send no origin, are allowed', async () => {
  expect((await send('/rest/v1/vessels?limit=1', { apikey })).status).toBe(200)
  expect(await openSocket({})).toBe(101)
})

test('each backend has a publishable key of its own', async () => {
  const other = await startTestBackend()
  expect(other.publishableKey).toMatch(/^sb_publishable_[\w-]{32}$/)
  expect(other.publishableKey).not.toBe(apikey)
  const response = await fetch(`${url}/rest/v1/vessels`, { headers: { apikey: other.publishableKey } })
  expect(response.status).toBe(401)
})

test.each([
  'null',
  '*',
  'app.example',
  'https://app.example/path',
  'https://*.example',
  'https://a@app.example',
])('%s is not a valid origin to allow', async text => {
  expect(() => parseOrigin(text)).toThrow('is not an origin')
  await expect(startBackend({ data: 'memory', allowOrigins: [text] })).rejects.toThrow('is not an origin')
})

test.each([
  ['https://App.example/', 'https://app.example'],
  ['https://app.example:443', 'https://app.example'],
  ['http://[::1]:80', 'http://[::1]'],
])('%s allows %s', (text, origin) => {
  expect(createOriginPolicy([parseOrigin(text)])(origin)).toBe(true)
})
