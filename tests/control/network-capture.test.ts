// What the console reads of requests and sockets: in memory, bounded, without secrets, and never recorded.
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createControl } from '../../src/public/devtools/control.ts'
import type { Interceptor } from '../../src/services/control/control-point.ts'
import { LiveFeed } from '../../src/trace/index.ts'
import { capturedCalls } from '../../src/ui/console/network/network-contents.ts'
import { NetworkCapture } from '../../src/services/control/network-capture.ts'
import { credentials, signIn, startClient } from '../harness/client.ts'
import { json } from '../harness/fake-backend.ts'

const passing: Interceptor = {
  fetch: (real, ...call) => real(...call),
  onSocketCreated: () => undefined,
  sends: (data, send) => send(data),
  onMessage: () => true,
  onStorageWrite: () => undefined,
  isOffline: () => false,
}

function scene(inner: Interceptor = passing) {
  let now = 0
  const capture = new NetworkCapture({ inner, now: () => ++now })
  const call = (answer: () => Response, init?: RequestInit, url = 'https://h.test/rest/v1/vessels') =>
    capture.fetch(() => Promise.resolve(answer()), url, init)
  const last = () => capture.calls().at(-1)?.read()
  return { capture, call, last }
}

const JWT = `eyJhbGciOiJIUzI1NiJ9.${btoa('{"sub":"skipper"}')}.c2lnbmF0dXJlLW9mLXRoZS10b2tlbg`

test('captures headers and bodies while it is watched; the app reads its response', async () => {
  const { capture, call, last } = scene()
  const answer = () =>
    Response.json([{ id: 4, name: 'Fulmar' }], { status: 201, headers: { 'x-served-by': 'deck' } })
  await (await call(answer)).text()
  expect(capture.calls()).toEqual([])
  const stop = capture.watch()
  const response = await call(answer, {
    method: 'post',
    headers: { prefer: 'return=representation' },
    body: '{"name":"Fulmar"}',
  })
  expect(await response.json()).toEqual([{ id: 4, name: 'Fulmar' }])
  await expect.poll(() => last()?.response?.body).toEqual({ text: '[{"id":4,"name":"Fulmar"}]', size: 26 })
  expect(capture.calls().map(({ method, url }) => [method, url])).toEqual([
    ['POST', 'https://h.test/rest/v1/vessels'],
  ])
  expect(last()).toMatchObject({
    headers: [{ name: 'prefer', value: 'return=representation', isMasked: false }],
    body: { text: '{"name":"Fulmar"}', size: 17 },
    response: {
      status: 201,
      headers: [
        { name: 'content-type', value: 'application/json', isMasked: false },
        { name: 'x-served-by', value: 'deck', isMasked: false },
      ],
    },
  })
  stop()
  await call(answer)
  expect(capture.calls()).toHaveLength(1)
})

test('masks credentials in headers, URLs, bodies and messages', async () => {
  const { capture, call } = scene()
  capture.watch()
  const secrets = ['correct horse', '842917', 'sb_publishable_abcdefghij', 'sid=8f3a91c2', JWT]
  const [password, otp, key, cookie, jwt] = secrets
  await call(
    () =>
      Response.json(
        { access_token: jwt, refresh_token: 'v1-refresh-8271', user: { email: 'skipper@harbour.test' } },
        { headers: { 'set-cookie': `${cookie}` } },
      ),
    {
      method: 'POST',
      headers: { authorization: `Bearer ${jwt}`, apikey: `${key}`, cookie: `${cookie}` },
      body: JSON.stringify({ password, token: otp, type: 'email' }),
    },
    `https://h.test/auth/v1/verify?apikey=${key}&token=${otp}xyz`,
  )
  capture.onMessage({} as WebSocket, new MessageEvent('message', { data: `["1",{"access_token":"${jwt}"}]` }))
  capture.sends(`{"access_token":"${jwt}"}`, () => undefined)
  await expect.poll(() => capture.calls()[0]?.read().response?.body?.text).toContain('skipper@harbour.test')
  const all = JSON.stringify([
    capture.calls().map(one => ({ ...one.read(), url: one.url })),
    capture.frames().map(one => one.read()),
  ])
  for (const secret of [...secrets, 'v1-refresh-8271']) expect(all).not.toContain(secret)
  expect(all).toContain('Bearer [hidden]')
})

test('texts are cut, and other contents only have their kind and size', async () => {
  const { call, last, capture } = scene()
  capture.watch()
  const long = 'x'.repeat(200_000)
  const response = await call(() => new Response(long, { headers: { 'content-type': 'text/plain' } }), {
    method: 'POST',
    body: new Blob(['abc'], { type: 'image/png' }),
  })
  expect((await response.text()).length).toBe(200_000)
  await expect.poll(() => last()?.response?.body?.isCut).toBe(true)
  expect(last()?.response?.body?.text?.length).toBe(64_000)
  expect(last()?.body).toEqual({ note: 'image/png', size: 3 })
  const form = new FormData()
  form.set('file', 'content of the file')
  await call(
    () => new Response('%PDF', { headers: { 'content-type': 'application/pdf', 'content-length': '4' } }),
    { method: 'POST', body: form },
  )
  expect(last()).toMatchObject({
    body: { note: 'form data: file' },
    response: { body: { note: 'application/pdf', size: 4 } },
  })
  await call(() => new Response(null, { status: 204 }))
  expect(last()?.response?.body).toBeUndefined()
  await expect(call(() => Promise.reject(new TypeError('Failed to fetch')) as never)).rejects.toThrow(
    'Failed to fetch',
  )
  expect(last()?.response).toBeUndefined()
})

test('keeps a bounded number of calls, characters and messages', async () => {
  const { call, capture } = scene()
  capture.watch()
  for (let i = 0; i < 320; i++) await call(() => new Response(null, { status: 204 }))
  expect([capture.calls().length, capture.calls()[0]?.t]).toEqual([300, 21])
  for (let i = 0; i < 100; i++)
    await call(() => new Response(null, { status: 204 }), { method: 'POST', body: 'y'.repeat(100_000) })
  // 62 of 64,000 characters are below 4,000,000.
  expect(capture.calls()).toHaveLength(62)
  for (let i = 0; i < 1_010; i++) capture.sends('beat', () => undefined)
  expect(capture.frames()).toHaveLength(1_000)
})

test('a message that a fault drops is not captured; one that passes is', () => {
  const received: unknown[] = []
  const { capture } = scene({
    ...passing,
    sends: (data, send) => (data === 'lost' ? undefined : send(data)),
    onMessage: (_, event) => (event as MessageEvent).data !== 'lost',
  })
  capture.watch()
  for (const data of ['lost', 'kept', new Uint8Array(3)]) {
    capture.sends(data, it => void received.push(it))
    capture.onMessage({} as WebSocket, new MessageEvent('message', { data }))
  }
  capture.onMessage({} as WebSocket, new Event('open'))
  expect(received).toEqual(['kept', new Uint8Array(3)])
  expect(capture.frames().map(frame => [frame.way, frame.read()])).toEqual([
    ['out', { text: 'kept', size: 4 }],
    ['in', { text: 'kept', size: 4 }],
    ['out', { note: 'binary', size: 3 }],
    ['in', { note: 'binary', size: 3 }],
  ])
})

test('captured contents are not in the recording and its file, which stores, exports and reports are made of', async () => {
  const control = createControl()
  const { client } = startClient(
    { ...signIn, 'POST /rest/v1/vessels?select=*': () => json([{ id: 1, mark: 'body-canary-answer' }]) },
    { control },
  )
  const drive = await control.open()
  drive.network.watch()
  await client.auth.signInWithPassword(credentials)
  const { status } = await client.supabase
    .from('vessels')
    .insert({ mark: 'body-canary-request' } as never)
    .select()
    .setHeader('x-canary', 'header-canary')
  expect(status).toBe(200)
  const call = () =>
    drive.network
      .calls()
      .find(({ url }) => url.includes('/rest/v1/vessels'))
      ?.read()
  await expect.poll(() => call()?.response?.body?.text).toContain('body-canary-answer')
  expect(JSON.stringify(call())).toContain('body-canary-request')
  expect(JSON.stringify(call())).toContain('header-canary')
  const { trace } = client.recording
  const file = gunzipSync(await (await client.recording.download()).arrayBuffer()).toString()
  // Stores and reports are written from the same records.
  for (const text of [file, JSON.stringify([trace.header, trace.actors, trace.steps, trace.stimuli])])
    expect(text).not.toContain('canary')
  expect(file).toContain('/rest/v1/vessels')
})

test('a request of the recording is matched with its calls, one for each attempt', async () => {
  const control = createControl()
  let count = 0
  const path = '/rest/v1/vessels?select=id%2Cname&order=id.desc&limit=100'
  const { client } = startClient(
    {
      ...signIn,
      [`GET ${path}`]: () => (++count === 1 ? json({ message: 'busy' }, 503) : json([{ id: count }])),
    },
    { control },
  )
  const drive = await control.open()
  drive.network.watch()
  await client.auth.signInWithPassword(credentials)
  await client.fetch('/rest/v1/vessels?select=id%2Cname&order=id.desc&limit=100')
  await client.fetch('/rest/v1/vessels?select=id%2Cname&order=id.desc&limit=100')
  await expect.poll(() => drive.network.calls().at(-1)?.read().response?.body?.text).toBe('[{"id":3}]')
  const feed = new LiveFeed(client.recording.trace)
  feed.advance(Infinity)
  const { timeline } = feed
  const bodies = timeline.wire
    .filter(wire => wire.path === path)
    .map(wire =>
      capturedCalls(drive.network.calls(), timeline, wire).map(call => call?.read().response?.body?.text),
    )
  expect(bodies).toEqual([['{"message":"busy"}', '[{"id":2}]'], ['[{"id":3}]']])
})
