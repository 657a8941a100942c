// What the backend sends on behalf of a project stays on this machine, and never reads the backend's own tools.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import postgres from 'postgres'
import { afterAll, expect, test } from 'vitest'
import { callHttpHook } from '../../../backend/auth/hooks/http-hook.ts'
import { NotSent, sendOutgoing } from '../../../backend/shared/outgoing.ts'
import { ask } from '../../harness/auth.ts'
import { startTestBackend } from '../../harness/backend.ts'

const backend = await startTestBackend({ databaseAccess: {} })
const open = await startTestBackend({ databaseAccess: {}, allowOutgoing: true })
const { port } = new URL(backend.url)

const requests: string[] = []
/** Redirects to the address in its query. */
const redirecting = createServer((incoming, outgoing) => {
  requests.push(`${incoming.method} ${incoming.url}`)
  const { searchParams } = new URL(incoming.url ?? '/', 'http://127.0.0.1')
  const [status, location] = [Number(searchParams.get('status') ?? 302), searchParams.get('to')]
  outgoing.writeHead(location === null ? 200 : status, {
    'content-type': 'application/json',
    ...(location === null ? {} : { location }),
  })
  outgoing.end('{}')
})
await new Promise<void>(done => void redirecting.listen(0, '127.0.0.1', done))
const { port: redirectPort } = redirecting.address() as AddressInfo
const via = (to: string, status = 302) =>
  `http://127.0.0.1:${redirectPort}/?status=${status}&to=${encodeURIComponent(to)}`
afterAll(() => redirecting.close())

const HERE = { allowsOutgoing: false, toLocal: (url: string) => url }

/** Spellings of the inbox, and the backend whose inbox it is. */
const inboxes = (own: string) => [
  `http://127.0.0.1:${own}/_chartroom/inbox.json`,
  `http://127.0.0.1:${own}/_chartroom/inbox`,
  `http://localhost:${own}/_chartroom/inbox.json`,
  `http://LOCALHOST:${own}/_chartroom/inbox.json`,
  `http://a.localhost:${own}/_chartroom/inbox.json`,
  `http://2130706433:${own}/_chartroom/inbox.json`,
  `http://0x7f.1:${own}/_chartroom/inbox.json`,
  `http://127.1.2.3:${own}/_chartroom/inbox.json`,
  `http://[::1]:${own}/_chartroom/inbox.json`,
  `http://[::ffff:127.0.0.1]:${own}/_chartroom/inbox.json`,
  `http://0.0.0.0:${own}/_chartroom/inbox.json`,
  'http://kong:8000/_chartroom/inbox.json',
  'http://api.supabase.internal:8000/_chartroom/inbox.json',
  'http://host.docker.internal:54321/_chartroom/inbox.json',
  'http://127.0.0.1:54321/_chartroom/inbox.json',
  `http://127.0.0.1:${own}/%5Fchartroom/inbox.json`,
  `http://127.0.0.1:${own}/%5fchartroom/inbox%2Ejson`,
  `http://127.0.0.1:${own}/_CHARTROOM/inbox.json`,
  `http://127.0.0.1:${own}//_chartroom/inbox.json`,
  `http://127.0.0.1:${own}/rest/v1/../../_chartroom/inbox.json`,
  `http://127.0.0.1:${own}/rest/v1/%2e%2e/%2e%2e/_chartroom/inbox.json`,
  `http://127.0.0.1:${own}/./_chartroom/./inbox.json`,
  `http://127.0.0.1:${own}\\_chartroom\\inbox.json`,
  `http://user:pass@127.0.0.1:${own}/_chartroom/inbox.json`,
  `http://127.0.0.1:${own}/_chartroom/inbox.json?x#y`,
  `http://127.0.0.1:${own}/_chartroom/functions.json`,
  `http://127.0.0.1:${own}/_chartroom/access`,
  `http://127.0.0.1:${own}/_chartroom/schema`,
  ...[301, 302, 303, 307, 308].map(status => via(`http://127.0.0.1:${own}/_chartroom/inbox.json`, status)),
  via(via(`http://localhost:${own}/_chartroom/inbox.json`)),
]

test.each([
  ['without outgoing requests', backend],
  ['with them', open],
])('pg_net reads no tool under any spelling, %s', async (_name, { url, databaseUrl, ...own }) => {
  await ask({ url, ...own }, 'POST', 'recover', { email: 'skipper@harbour.test' })
  expect(await (await fetch(`${url}/_chartroom/inbox.json`)).text()).toContain('skipper@harbour.test')
  const sql = postgres(databaseUrl ?? '', { max: 1, onnotice: () => undefined })
  const ids = new Map<string, string>()
  for (const address of inboxes(new URL(url).port)) {
    const [row] = await sql`select net.http_get(${address})::text as id`
    ids.set(String(row?.['id']), address)
  }
  const answered = () =>
    sql`select id::text, status_code, content, error_msg from net._http_response where id::text in ${sql([...ids.keys()])}`
  await expect.poll(async () => (await answered()).length, { timeout: 20_000 }).toBe(ids.size)
  const read = (await answered()).filter(
    ({ status_code: status, content }) => status === 200 || String(content).includes('skipper'),
  )
  expect(read.map(({ id }) => ids.get(String(id)))).toEqual([])
  // What a project may call stays open to it.
  const [allowed] = await sql`select net.http_get(${`${url}/auth/v1/health`})::text as id`
  await expect
    .poll(
      async () =>
        (
          await sql`select status_code from net._http_response where id::text = ${String(allowed?.['id'])}`
        )[0]?.['status_code'],
      { timeout: 10_000 },
    )
    .toBe(200)
  await sql.end()
})

test.each([301, 302, 303, 307, 308])(
  'an auth hook follows no redirect with %i to another machine',
  async status => {
    for (const elsewhere of [
      'http://elsewhere.example/',
      'http://8.8.8.8/',
      'http://[::ffff:8.8.8.8]/',
      'http://134744072/',
      '//elsewhere.example/x',
      'http://127.0.0.1.nip.io/',
      'file:///etc/passwd',
    ]) {
      requests.length = 0
      const refused = callHttpHook({ url: via(elsewhere, status), secrets: ['c2VjcmV0'] }, '{}', HERE)
      await expect(refused).rejects.toMatchObject({
        status: 500,
        message: expect.stringMatching(/^The hook was not called: .*(--allow-outgoing|Couldn't resolve)/),
      })
      expect(requests).toHaveLength(1)
    }
  },
)

test('a hook follows redirects on this machine, and reads no tool', async () => {
  const hook = (url: string) => callHttpHook({ url, secrets: ['c2VjcmV0'] }, '{}', HERE)
  expect(await hook(via(`http://127.0.0.1:${redirectPort}/end`, 307))).toBe('{}')
  expect(requests.at(-1)).toBe('POST /end')
  expect(await hook(via(`http://127.0.0.1:${redirectPort}/end`, 303))).toBe('{}')
  expect(requests.at(-1)).toBe('GET /end')
  await expect(hook(via(`http://127.0.0.1:${port}/_chartroom/inbox.json`, 303))).rejects.toMatchObject({
    message: 'Unexpected status code returned from hook: 403',
  })
})

test.each([
  'http://elsewhere.example/',
  'https://elsewhere.example/',
  'http://8.8.8.8/',
  'http://134744072/',
  'http://0x08080808/',
  'http://010.8.8.8/',
  'http://[::ffff:8.8.8.8]/',
  'http://[2001:db8::1]/',
  'http://0.0.0.0:1/',
  'http://169.254.169.254/latest/meta-data',
  'http://10.0.0.1/',
  'http://localhost.elsewhere.example/',
  'http://127.0.0.1.nip.io/',
  'http://127.0.0.1@elsewhere.example/',
  'http://elsewhere.example#@127.0.0.1/',
  'http://kong.elsewhere.example/',
  'ftp://127.0.0.1/',
  'file:///etc/passwd',
  'data:text/plain,x',
  'nowhere',
])('%s is not called', async address => {
  const request = { method: 'GET', headers: new Headers(), body: null, signal: AbortSignal.timeout(5_000) }
  await expect(sendOutgoing(address, request, HERE)).rejects.toThrow(NotSent)
})
