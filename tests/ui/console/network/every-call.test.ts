// The network view and exports list every call of a client: compared, call for call, with the log of a plain server.
import { expect, test, vi } from 'vitest'
import { exportTrace, LiveFeed, type TraceSource } from '../../../../src/trace/index.ts'
import { readTrace, systems, verify } from '../../../../src/public/devtools/replay.ts'
import { memoryStorage } from '../../../../src/services/client/index.ts'
import { askedBy, callBehind, ledTo } from '../../../../src/ui/console/network/call-causes.ts'
import { networkRows, type NetworkRow } from '../../../../src/ui/console/network/network-rows.ts'
import { credentials, watchedClient } from '../../../harness/client.ts'
import { KEY } from '../../../harness/fake-backend.ts'
import { type LoggedCall, startLoggingServer } from '../../../harness/logging-server.ts'

function timelineOf(trace: TraceSource) {
  const feed = new LiveFeed(trace)
  feed.advance(Infinity)
  return feed.timeline
}

function rowsOf(trace: TraceSource): readonly NetworkRow[] {
  const timeline = timelineOf(trace)
  return networkRows(timeline, [0, timeline.end + 1], { column: 'start', isDescending: false })
}

const text = ({ method, path, status }: LoggedCall) => `${method} ${decodeURIComponent(path)} ${status}`

/** Each attempt is a call. */
const listed = (trace: TraceSource): string[] =>
  rowsOf(trace)
    .flatMap(({ wire: { kind, method, path, attempts } }) =>
      attempts.map(({ status = 0 }) => text({ method: kind === 'socket' ? 'WS' : method, path, status })),
    )
    .toSorted()

async function start() {
  const server = await startLoggingServer()
  const client = watchedClient({
    url: server.url,
    key: KEY,
    storage: memoryStorage(),
    timings: { backoffMin: 1, backoffMax: 2 },
  })
  return { server, client, trace: client.recording.trace }
}

test('every call is listed once, with the status that the server sent', async () => {
  const { server, client, trace } = await start()
  const { supabase } = client
  // Signed out.
  await supabase.from('vessels').select('id')
  server.next('POST /auth/v1/token', [400, { code: 400, error_code: 'invalid_credentials', msg: 'no' }])
  expect((await client.auth.signInWithPassword(credentials)).ok).toBe(false)
  await supabase.auth.signInWithOtp({ email: credentials.email })
  const { email } = credentials
  expect((await supabase.auth.verifyOtp({ email, token: '123456', type: 'email' })).error).toBeNull()
  expect((await client.auth.signInWithPassword(credentials)).ok).toBe(true)
  // Refreshed by the app, and after a response that refuses the token.
  expect((await client.auth.refresh()).ok).toBe(true)
  server.next('GET /rest/v1/vessels', [401, { code: 'PGRST301', message: 'JWT expired' }])
  expect((await supabase.from('vessels').select('name').eq('id', 7)).error).toBeNull()
  server.next('GET /rest/v1/vessels', [503, {}])
  expect((await supabase.from('vessels').select('name')).error).toBeNull()
  await client.auth.verifyUser()
  await supabase.storage.from('charts').upload('a.png', new Blob(['chart']))
  await supabase.functions.invoke('tide', { body: { at: 'noon' } })
  // A socket that the server closes, and the next one.
  supabase.channel('bridge').subscribe()
  await vi.waitFor(() => expect(client.status().channels['bridge']?.phase).toBe('joined'))
  server.sockets[0]?.close(1012, 'service restart')
  await vi.waitFor(() => expect(server.sockets).toHaveLength(2))
  await vi.waitFor(() => expect(client.status().channels['bridge']?.phase).toBe('joined'))
  client.checkKey()
  await vi.waitFor(() => expect(server.calls.map(({ path }) => path)).toContain('/auth/v1/settings'))
  await supabase.removeAllChannels()
  expect((await client.auth.signOut()).ok).toBe(true)
  await vi.waitFor(() =>
    expect(rowsOf(trace).filter(({ wire, isOpen }) => wire.kind !== 'socket' && isOpen)).toEqual([]),
  )

  expect(server.calls.length).toBeGreaterThanOrEqual(18)
  expect(listed(trace)).toEqual(server.calls.map(text).toSorted())
  const har = JSON.parse(exportTrace(trace, 'har', { baseUrl: server.url })) as {
    log: { entries: { request: { method: string; url: string }; response: { status: number } }[] }
  }
  const inHar = har.log.entries.map(({ request: { method, url }, response: { status } }) =>
    text({ method: url.startsWith('ws') ? 'WS' : method, path: url.replace(/^\w+:\/\/[^/]+/, ''), status }),
  )
  expect(inHar.toSorted()).toEqual(server.calls.map(text).toSorted())
  // Neither the password and code nor the tokens of the responses.
  const recorded = JSON.stringify([trace.steps, trace.stimuli])
  for (const secret of [credentials.password, '123456', 'refresh-session-'])
    expect(recorded).not.toContain(secret)
  const sockets = rowsOf(trace).filter(({ wire }) => wire.kind === 'socket')
  expect(sockets[0]?.outcome).toBe('closed by the server · 1012 service restart')
  const found = rowsOf(trace).filter(({ wire }) => wire.path.includes('token'))
  expect(found.length).toBe(4)
  expect(found[0]).toMatchObject({ group: 'auth', status: 400, outcome: 'invalid_credentials', failed: true })
  expect(rowsOf(trace).find(({ wire }) => wire.path === '/auth/v1/settings')).toMatchObject({
    group: 'checks',
    status: 200,
    isOpen: false,
  })
})

test('a call has who asked for it, and its response what followed', async () => {
  const { server, client, trace } = await start()
  const { supabase } = client
  await client.auth.signInWithPassword(credentials)
  server.next('GET /rest/v1/vessels', [401, { code: 'PGRST301', message: 'JWT expired' }])
  await supabase.from('vessels').select('id')
  await client.auth.refresh()
  await client.auth.verifyUser()
  await client.auth.signOut()

  const timeline = timelineOf(trace)
  const asked = (part: string) =>
    timeline.wire.filter(({ path }) => path.includes(part)).map(wire => askedBy(timeline, wire))
  const rows = timeline.wire.find(({ path }) => path.startsWith('/rest/'))
  const [afterRefusal, byApp] = asked('refresh_token')
  expect(asked('grant_type=password')).toMatchObject([{ reason: 'the sign-in', call: undefined }])
  expect(afterRefusal).toMatchObject({ reason: 'a response that refused the token' })
  expect(afterRefusal?.call).toBe(rows)
  expect(byApp).toMatchObject({ reason: 'the app, which asked for a new token', call: undefined })
  expect(asked('/auth/v1/user')).toMatchObject([{ reason: 'the session, which loads the user' }])
  expect(asked('/auth/v1/logout')).toMatchObject([{ reason: 'the sign-out' }])
  expect(asked('/rest/')).toMatchObject([{ reason: 'the app' }])

  // From the response to the refresh that it led to, and from the first step of this refresh back.
  const refresh = timeline.wire.find(({ path }) => path.includes('refresh_token'))
  if (!rows || !refresh) throw new Error('both are listed')
  expect(ledTo(timeline, rows, 100).map(seq => timeline.type(seq))).toEqual(
    expect.arrayContaining(['send.answered', 'token.rejected']),
  )
  expect(callBehind(timeline, refresh.seq)?.wire).not.toBe(refresh)
  // The session's step with the new token follows from the response to the refresh.
  const rotated = ledTo(timeline, refresh, 100).find(seq => timeline.type(seq) === 'token.rotated')
  expect(rotated === undefined ? undefined : callBehind(timeline, rotated)?.wire).toBe(refresh)
})

test('a call without a response is listed, and a recording with calls replays exactly', async () => {
  const { client } = await start()
  await client.auth.signInWithPassword(credentials)
  const file = await client.recording.download()
  const read = await readTrace(new Uint8Array(await file.arrayBuffer()))
  if (read.kind !== 'trace') throw new Error(read.message)
  const { trace } = read
  expect(trace.steps.map(({ event }) => event.type)).toContain('http.answered')
  expect(verify(trace, systems)).toMatchObject({ outcome: 'exact', compared: trace.steps.length })
  const offline = watchedClient({
    url: 'http://127.0.0.1:1',
    key: KEY,
    storage: memoryStorage(),
    fetch: () => Promise.reject(new TypeError('no network')),
  })
  expect((await offline.auth.signInWithPassword(credentials)).ok).toBe(false)
  expect(rowsOf(offline.recording.trace)).toMatchObject([
    { wire: { path: '/auth/v1/token?grant_type=password' }, status: undefined, failed: true, isOpen: false },
  ])
})
