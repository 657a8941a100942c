// Extensions that the backend provides itself: pg_net with database webhooks, pg_cron, supabase_vault and http.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { afterAll, expect, test, vi } from 'vitest'
import { startBackend, type Backend } from '../../backend/index.ts'
import { localUrl } from '../../backend/shared/local-url.ts'
import { testOnPglite } from '../harness/engine.ts'

interface Call {
  readonly line: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

const calls: Call[] = []
const endpoint = createServer((incoming, outgoing) => {
  const chunks: Buffer[] = []
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
  incoming.on('end', () => {
    calls.push({
      line: `${incoming.method} ${incoming.url}`,
      headers: incoming.headers,
      body: Buffer.concat(chunks).toString(),
    })
    if (incoming.url === '/hang') return
    // The same server by another name is another origin.
    if (incoming.url === '/moved') outgoing.writeHead(302, { location: `http://localhost:${port}/there` })
    else if (incoming.url === '/away') outgoing.writeHead(302, { location: 'http://elsewhere.example/' })
    else outgoing.writeHead(201, { 'content-type': 'text/plain' })
    outgoing.end('made')
  })
})
await new Promise<void>(done => void endpoint.listen(0, '127.0.0.1', done))
const { port } = endpoint.address() as AddressInfo

const root = mkdtempSync(join(tmpdir(), 'chartroom-services-'))
mkdirSync(join(root, 'supabase/migrations'), { recursive: true })
writeFileSync(
  join(root, 'supabase/migrations/1_services.sql'),
  `
create extension if not exists pg_net with schema extensions;
create extension if not exists pg_cron with schema pg_catalog;
create extension if not exists supabase_vault with schema vault;
create extension if not exists http with schema extensions;
create table public.boats (id int primary key, name text);
create table public.ticks (at timestamptz default now(), by text default current_user);
grant insert on public.ticks to authenticated;
create trigger announce after insert or update on public.boats for each row
execute function supabase_functions.http_request(
  'http://host.docker.internal:${port}/hook', 'POST', '{"Content-Type":"application/json","x-own":"yes"}', '{}', '1000');`,
)
const data = { dir: join(root, 'data') }
let backend: Backend
let sql: postgres.Sql
async function start(): Promise<void> {
  backend = await startBackend({ data, project: root, port: 0, databaseAccess: {}, deno: false })
  sql = postgres(backend.databaseUrl ?? '', { max: 1, onnotice: () => undefined })
}
async function stop(): Promise<void> {
  await sql.end({ timeout: 1 })
  await backend.stop()
}
await start()
afterAll(async () => {
  await stop()
  endpoint.closeAllConnections()
  endpoint.close()
  rmSync(root, { recursive: true, force: true })
})

const patience = { timeout: 15_000, interval: 50 }
async function responseTo(id: string): Promise<postgres.Row> {
  return vi.waitFor(async () => {
    const [row] = await sql`select * from net._http_response where id = ${id}::bigint`
    if (!row) throw new Error('There is no response yet')
    return row
  }, patience)
}

test('the start reports only the extension without its functionality', () => {
  expect(backend.project?.emptyExtensions).toEqual(['http (supabase/migrations/1_services.sql)'])
})

test('a database webhook sends the row after the commit, and not after a rollback', async () => {
  await sql`insert into public.boats values (1, 'Kittiwake')`
  await sql
    .begin(async tx => {
      await tx`insert into public.boats values (2, 'Lost')`
      throw new Error('no')
    })
    .catch(() => undefined)
  await sql`update public.boats set name = 'Petrel' where id = 1`
  await vi.waitFor(() => expect(calls).toHaveLength(2), patience)
  expect(calls.map(({ line, headers, body }) => [line, headers['x-own'], JSON.parse(body)])).toEqual([
    [
      'POST /hook',
      'yes',
      {
        type: 'INSERT',
        table: 'boats',
        schema: 'public',
        record: { id: 1, name: 'Kittiwake' },
        old_record: null,
      },
    ],
    [
      'POST /hook',
      'yes',
      {
        type: 'UPDATE',
        table: 'boats',
        schema: 'public',
        record: { id: 1, name: 'Petrel' },
        old_record: { id: 1, name: 'Kittiwake' },
      },
    ],
  ])
  const hooks = await sql`select hook_name from supabase_functions.hooks`
  expect(hooks.map(row => row['hook_name'])).toEqual(['announce', 'announce'])
})

test('credentials are not sent to another origin that a response redirects to', async () => {
  calls.length = 0
  const headers = { authorization: 'Bearer secret', apikey: 'secret', cookie: 'a=secret', 'x-own': 'yes' }
  const [row] = await sql`
    select net.http_get(${`http://127.0.0.1:${port}/moved`}, '{}', ${sql.json(headers)}) as id`
  expect(await responseTo(row?.['id'])).toMatchObject({ status_code: 201 })
  expect(
    calls.map(call => [call.line, call.headers['x-own'], JSON.stringify(call.headers).includes('secret')]),
  ).toEqual([
    ['GET /moved', 'yes', true],
    ['GET /there', 'yes', false],
  ])
})

test('net.http_get, http_post and http_delete are sent, and the responses stored', async () => {
  calls.length = 0
  const url = `http://127.0.0.1:${port}`
  const [get] =
    await sql`select net.http_get(${`${url}/get?a=1`}, ${sql.json({ b: 'ä &' })}, ${sql.json({ 'x-a': '1' })}) as id`
  const [post] = await sql`select net.http_post(${`${url}/post`}, body := ${sql.json({ n: 1 })}) as id`
  const [gone] = await sql`select net.http_delete(${`${url}/delete`}) as id`
  const { created, headers, ...response } = await responseTo(get?.['id'])
  expect(response).toEqual({
    id: get?.['id'],
    status_code: 201,
    content_type: 'text/plain',
    content: 'made',
    timed_out: false,
    error_msg: null,
  })
  expect(created).toBeInstanceOf(Date)
  expect(headers).toMatchObject({ 'content-type': 'text/plain' })
  await responseTo(post?.['id'])
  await responseTo(gone?.['id'])
  expect(calls.map(({ line, body }) => `${line} ${body}`).sort()).toEqual([
    'DELETE /delete ',
    'GET /get?a=1&b=%C3%A4%20%26 ',
    'POST /post {"n": 1}',
  ])
  const [collected] = await sql`select (net._http_collect_response(${get?.['id']}::bigint)).*`
  expect(collected).toMatchObject({ status: 'SUCCESS', message: 'ok' })
  await expect(sql`select net.http_post(${url}, headers := '{"content-type":"text/plain"}')`).rejects.toThrow(
    'Content-Type header must be "application/json"',
  )
})

test('requests that fail, take too long or go to other machines say so', async () => {
  const ask = async (url: string, timeout = 5_000) => {
    const [row] = await sql`select net.http_get(${url}, timeout_milliseconds := ${timeout}) as id`
    const { status_code: status, timed_out: timedOut, error_msg: error } = await responseTo(row?.['id'])
    return [status, timedOut, error]
  }
  const refused = (url: string) =>
    `${url} was not called. The embedded backend sends requests only to this machine. Start it with --allow-outgoing to send them elsewhere.`
  expect(await ask('http://elsewhere.example/a')).toEqual([null, null, refused('http://elsewhere.example/a')])
  expect(await ask(`http://127.0.0.1:${port}/away`)).toEqual([
    null,
    null,
    refused('http://elsewhere.example/'),
  ])
  expect(await ask(`http://127.0.0.1:${port}/hang`, 200)).toEqual([null, true, 'Timeout of 200 ms reached'])
  const closed = createServer()
  await new Promise<void>(done => void closed.listen(0, '127.0.0.1', done))
  const { port: freePort } = closed.address() as AddressInfo
  await new Promise(done => closed.close(done))
  expect(await ask(`http://127.0.0.1:${freePort}/`)).toEqual([
    null,
    null,
    expect.stringContaining('ECONNREFUSED'),
  ])
  expect(await ask('nowhere')).toEqual([null, null, "Couldn't resolve the URL nowhere"])
  expect(await ask('http://kong:8000/functions/v1/none')).toEqual([401, false, null])
})

test('addresses of the local stack are this backend', () => {
  const own = { port: 4000, configured: undefined }
  expect(
    [
      'http://kong:8000/a?b=1',
      'http://supabase_kong_my-app:8000/a',
      'http://localhost:54321/a',
      'http://host.docker.internal:54321/a',
      'http://host.docker.internal:3000/a',
      'http://127.0.0.1:3000/a',
      'https://example.com:54321/a',
      'nowhere',
    ].map(url => localUrl(url, own)),
  ).toEqual([
    'http://127.0.0.1:4000/a?b=1',
    'http://127.0.0.1:4000/a',
    'http://localhost:4000/a',
    'http://127.0.0.1:4000/a',
    'http://127.0.0.1:3000/a',
    'http://127.0.0.1:3000/a',
    'https://example.com:54321/a',
    'nowhere',
  ])
})

test('cron runs a job at its times as its user, until it is unscheduled', async () => {
  await sql`select cron.schedule('tick', '1 seconds', 'insert into public.ticks default values')`
  await sql`select cron.schedule_in_database('humble', '1 seconds', 'insert into public.ticks default values', 'postgres', 'authenticated')`
  await sql`select cron.schedule('1 second', 'select from nonsense; begin')`
  await vi.waitFor(async () => {
    const runs =
      await sql`select distinct command, status, return_message from cron.job_run_details order by 1, 2`
    expect(runs.map(row => ({ ...row }))).toEqual([
      { command: 'insert into public.ticks default values', status: 'succeeded', return_message: 'OK' },
      {
        command: 'select from nonsense; begin',
        status: 'failed',
        return_message: 'ERROR: relation "nonsense" does not exist',
      },
    ])
    const users = await sql`select distinct by from public.ticks order by 1`
    expect(users.map(row => row['by'])).toEqual(['authenticated', 'postgres'])
  }, patience)
  const jobs = await sql`select jobname, schedule, active, username from cron.job order by jobid`
  expect(jobs.map(row => ({ ...row }))).toEqual([
    { jobname: 'tick', schedule: '1 seconds', active: true, username: 'postgres' },
    { jobname: 'humble', schedule: '1 seconds', active: true, username: 'authenticated' },
    { jobname: null, schedule: '1 second', active: true, username: 'postgres' },
  ])
  await sql`select cron.unschedule('tick')`
  await sql`select cron.unschedule(jobid) from cron.job`
  // By the second run of another job, each of them would have run, too.
  await sql`select cron.schedule('later', '1 seconds', 'select 2')`
  const runsOf = (command: string) =>
    sql`select count(*)::integer as runs from cron.job_run_details where (command = 'select 2') = (${command} = 'later')`
  const [first] = await vi.waitFor(async () => {
    const [later] = await runsOf('later')
    expect(later?.['runs']).toBeGreaterThan(0)
    return runsOf('the others')
  }, patience)
  await vi.waitFor(async () => expect((await runsOf('later'))[0]?.['runs']).toBeGreaterThan(2), patience)
  expect(await runsOf('the others')).toEqual([first])
  await sql`select cron.unschedule('later')`
})

test('a schedule that is none is refused, and so is an unknown job', async () => {
  for (const schedule of [
    '* * * *',
    '60 * * * *',
    '0 seconds',
    '* * 0 * *',
    '*/0 * * * *',
    'daily',
    '1-x * * * *',
  ])
    await expect(sql`select cron.schedule(${schedule}, 'select 1')`).rejects.toThrow(
      `invalid schedule: ${schedule}`,
    )
  for (const schedule of ['*/5 0-6,22 1,15 jan-mar 7', '0 0 $ * *', '@daily', '59 seconds']) {
    const [row] = await sql`select cron.schedule(${schedule}, 'select 1') as id`
    expect(await sql`select cron.unschedule(${row?.['id']}::bigint) as done`).toEqual([{ done: true }])
  }
  await expect(sql`select cron.unschedule('none')`).rejects.toThrow(
    "could not find valid entry for job 'none'",
  )
})

testOnPglite(
  'secrets of the vault are encrypted with a key that is not in the database, and survive a restart',
  async () => {
    const [made] = await sql`select vault.create_secret('s3cret', 'api', 'a key') as id`
    const [row] =
      await sql`select name, secret, decrypted_secret from vault.decrypted_secrets where id = ${made?.['id']}`
    expect(row).toMatchObject({ name: 'api', decrypted_secret: 's3cret' })
    expect(row?.['secret']).not.toContain('s3cret')
    await sql`select vault.update_secret(${made?.['id']}, 'n3w')`
    await stop()
    await start()
    const [kept] = await sql`select decrypted_secret, description from vault.decrypted_secrets`
    expect(kept).toEqual({ decrypted_secret: 'n3w', description: 'a key' })
    await sql`reset all`
    expect(
      await sql`select count(*)::int as n from vault.decrypted_secrets where decrypted_secret = 'n3w'`,
    ).toEqual([{ n: 1 }])
  },
)

testOnPglite('functions of http explain why they cannot work', async () => {
  const failure = await sql`select extensions.http_get('http://localhost')`.catch((error: unknown) => error)
  expect(failure).toMatchObject({
    code: '0A000',
    message: 'http_get waits for a response inside of a statement, which the embedded database cannot do',
    hint: 'Use net.http_get or net.http_post of pg_net, or an Edge Function.',
  })
})
