// The SQL tool on both engines: results, roles, sessions and plans, compared with the driver `pg` on the same database.
import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { officialClient } from '../harness/backend.ts'
import { startSqlBackend } from '../harness/sql-backend.ts'

/** A driver that returns PostgreSQL's own texts, in lists. */
async function connectDriver(url: string) {
  const client = new pg.Client({
    connectionString: url,
    types: { getTypeParser: () => (text: string) => text },
  })
  client.on('error', () => undefined)
  await client.connect()
  afterAll(() => client.end())
  return {
    rows: async (text: string) =>
      (await client.query({ text, rowMode: 'array' })).rows as (string | null)[][],
    client,
  }
}

describe.each(['pglite', 'postgres'] as const)('on %s', async engine => {
  const backend = await startSqlBackend(engine)
  const driver = await connectDriver(backend.databaseUrl)
  const { run } = backend

  test('values are the texts that PostgreSQL writes', async () => {
    const sql = `select 9007199254740993::bigint, 1.10::numeric, 'NaN'::float8, null::text, '', '2026-02-03 04:05:06.123456+00'::timestamptz,
      '{"b":1,"a":1.0}'::json, array[1,null], '\\xdeadbeef'::bytea, 'ü😀'::text, true, interval '1 month 2 days', row(1,'x')`
    const { statements, end } = await run(sql)
    expect(end).toBe('done')
    expect(statements[0]?.rows).toEqual(await driver.rows(sql))
    expect(statements[0]?.rows[0]?.slice(3, 5)).toEqual([null, ''])
  })

  test('columns have their types, and the columns of tables that they come from', async () => {
    const { statements } = await run(
      'select v.id, v.name as title, length_m + 1 as longer, 1.5::numeric(8,2) as n from public.vessels v limit 1',
    )
    const origin = (column: string) => ({ schema: 'public', table: 'vessels', column })
    expect(statements[0]?.columns).toEqual([
      { name: 'id', type: 'bigint', origin: origin('id'), editing: { key: [0], required: true } },
      { name: 'title', type: 'text', origin: origin('name'), editing: { key: [0], required: true } },
      { name: 'longer', type: 'numeric', editing: { readOnly: 'an expression' } },
      { name: 'n', type: 'numeric(8,2)', editing: { readOnly: 'an expression' } },
    ])
  })

  test('each statement has a result, and what ran before an error is kept, as in psql', async () => {
    const script = `create table public.steps (a int primary key); -- one; two
      insert into public.steps values (1), (2); select ';' as text, $$;$$ as more;
      insert into public.steps values (1); select 'not run'`
    const { statements, end, skipped, leftOpen } = await run(script)
    expect({ end, skipped, leftOpen }).toEqual({ end: 'failed', skipped: 1, leftOpen: false })
    expect(statements.map(({ tag, error }) => tag ?? error?.code)).toEqual([
      'CREATE TABLE',
      'INSERT 0 2',
      'SELECT 1',
      '23505',
    ])
    expect(statements.map(({ from, to }) => script.slice(from, to))[2]).toBe(
      `select ';' as text, $$;$$ as more`,
    )
    expect(await driver.rows('select a from public.steps order by 1')).toEqual([['1'], ['2']])
  })

  test('an error has the words, the SQLSTATE and the position that drivers get', async () => {
    const sql = `select 'ü😀', nonsense from public.vessels`
    const error = await driver.client.query(sql).catch((thrown: unknown) => thrown as pg.DatabaseError)
    const expected = error as pg.DatabaseError
    const { statements } = await run(`select 1;\n  ${sql}`)
    const { message, code, position = 0 } = statements[1]?.error ?? {}
    expect({ message, code }).toEqual({ message: expected.message, code: expected.code })
    // PostgreSQL counts characters from 1, and the emoji is one.
    const at = Array.from(sql)
      .slice(0, Number(expected.position) - 1)
      .join('').length
    expect(position).toBe('select 1;\n  '.length + at)
    const failed = await run(`insert into public.steps values (1)`)
    expect(failed.statements[0]?.error?.detail).toContain('already exists')
  })

  test('notices belong to their statement', async () => {
    const { statements } = await run(
      `select 1; do $$ begin for i in 1..500 loop raise notice 'number %', i; end loop; raise warning 'last'; end $$`,
    )
    expect(statements.map(({ noticeCount }) => noticeCount)).toEqual([0, 501])
    expect(statements[1]?.notices[0]).toMatchObject({ severity: 'NOTICE', message: 'number 1' })
    expect(statements[1]?.notices.length).toBe(200)
  })

  test('rows are read up to the limit, which says whether there are more', async () => {
    const start = performance.now()
    const all = await run('select generate_series(1, 2000000000)', { maxRows: 5 })
    expect(performance.now() - start).toBeLessThan(10_000)
    expect(all.end).toBe('done')
    expect(all.statements[0]).toMatchObject({ hasMore: true, rows: [['1'], ['2'], ['3'], ['4'], ['5']] })
    const exact = await run('select generate_series(1, 5)', { maxRows: 5 })
    expect(exact.statements[0]).toMatchObject({ hasMore: false, tag: 'SELECT 5' })
    // Writes are not cut off.
    const written = await run(
      'create table public.many (n int); insert into public.many select generate_series(1, 50) returning n',
      { maxRows: 3 },
    )
    expect(written.statements[1]).toMatchObject({ hasMore: true, rows: [['1'], ['2'], ['3']] })
    expect(await driver.rows('select count(*) from public.many')).toEqual([['50']])
  })

  test('a user sees what REST shows to them, with the claims of their token', async () => {
    const [account] = backend.accounts
    const client = officialClient(backend)
    const { data: session } = await client.auth.signInWithPassword(account ?? { email: '', password: '' })
    const user = session.user?.id ?? ''
    const { data } = await client.from('voyages').select('id').order('id')
    const { statements } = await run(
      "select id from public.voyages order by id; select auth.uid(), auth.role(), auth.jwt() ->> 'email', current_user",
      { as: { user } },
    )
    expect(statements[0]?.rows).toEqual(data?.map(({ id }) => [String(id)]))
    expect(statements[1]?.rows).toEqual([[user, 'authenticated', account?.email, 'authenticated']])
    const anonymous = await officialClient(backend).from('voyages').select('id').order('id')
    const anon = await run('select id from public.voyages order by id', { as: 'anon' })
    expect(anon.statements[0]?.error?.code ?? anon.statements[0]?.rows).toEqual(
      anonymous.error?.code ?? anonymous.data?.map(({ id }) => [String(id)]),
    )
    const service = await run('select current_user, (select count(*) from public.voyages)', {
      as: 'service_role',
    })
    expect(service.statements[0]?.rows[0]).toEqual([
      'service_role',
      (await driver.rows('select count(*) from public.voyages'))[0]?.[0],
    ])
    const unknown = await backend.send('select 1', { as: { user: crypto.randomUUID() } })
    expect(unknown.status).toBe(422)
  })

  test('no SQL of a role becomes the owner', async () => {
    const { statements, end } = await run(
      'reset role; select current_user; set session authorization default; select current_user; set role postgres',
      { as: 'anon' },
    )
    expect(end).toBe('failed')
    expect(statements.map(({ rows, error }) => error?.code ?? rows[0]?.[0])).toEqual([
      undefined,
      'authenticator',
      undefined,
      'authenticator',
      '42501',
    ])
  })

  test('nothing of a session remains', async () => {
    await run(`set search_path = nowhere; set role anon; create temp table gone (a int);`)
    await run(`create temp table gone (a int); prepare gone as select 1; listen gone; select pg_advisory_lock(77);
      declare gone cursor with hold for select 1; set timezone = 'Asia/Tokyo'`)
    const { statements } =
      await run(`select current_user = session_user, current_setting('timezone') <> 'Asia/Tokyo', to_regclass('gone'),
      (select count(*) from pg_prepared_statements where name = 'gone'), (select count(*) from pg_cursors where name = 'gone'),
      (select count(*) from pg_listening_channels() c where c = 'gone'),
      (select count(*) from pg_locks where locktype = 'advisory' and objid = 77), to_regclass('vessels') is not null`)
    expect(statements[0]?.rows).toEqual([['t', 't', null, '0', '0', '0', '0', 't']])
    // The session of a driver is unchanged.
    expect(await driver.rows("select current_user, current_setting('search_path') ~ 'public'")).toEqual([
      ['postgres', 't'],
    ])
  })

  test('a transaction that a script leaves open is rolled back', async () => {
    const { leftOpen, end } = await run('begin; insert into public.steps values (90)')
    expect({ leftOpen, end }).toEqual({ leftOpen: true, end: 'done' })
    const failed = await run('begin; insert into public.steps values (91); select 1/0')
    expect({ leftOpen: failed.leftOpen, end: failed.end }).toEqual({ leftOpen: true, end: 'failed' })
    const kept = await run('begin; insert into public.steps values (92); commit')
    expect(kept.leftOpen).toBe(false)
    expect(await driver.rows('select a from public.steps where a >= 90')).toEqual([['92']])
  })

  test('“Run and roll back” shows what a script does, and keeps nothing', async () => {
    const { statements, isRolledBack } = await run(
      'insert into public.steps values (200) returning a; select count(*) from public.steps where a = 200',
      { mode: 'rollBack' },
    )
    expect(isRolledBack).toBe(true)
    expect(statements.map(({ rows }) => rows)).toEqual([[['200']], [['1']]])
    for (const end of ['commit', 'end', 'rollback', 'begin', 'commit and chain', 'abort']) {
      const refused = await run(`insert into public.steps values (201); ${end}; select 1`, {
        mode: 'rollBack',
      })
      expect(refused.statements[1]?.error?.code).toBe('0A000')
    }
    const partly = await run(
      'savepoint a; insert into public.steps values (202); rollback to savepoint a; select count(*) from public.steps where a = 202',
      { mode: 'rollBack' },
    )
    expect(partly.statements[3]?.rows).toEqual([['0']])
    expect(await driver.rows('select count(*) from public.steps where a >= 200')).toEqual([['0']])
  })

  test('plans are those of PostgreSQL, and measured statements are rolled back', async () => {
    const sql = 'select name from public.vessels where id > 3 order by name'
    const planned = await run(`-- why?\n${sql};`, { mode: 'explain' })
    const [[expected = ''] = []] = await driver.rows(`explain (format json) ${sql}`)
    expect(JSON.parse(planned.statements[0]?.rows[0]?.[0] ?? '')).toEqual(JSON.parse(expected ?? ''))
    const measured = await run('insert into public.steps values (300)', { mode: 'explainAnalyze' })
    const [plan] = JSON.parse(measured.statements[0]?.rows[0]?.[0] ?? '[]') as [{ 'Execution Time': number }]
    expect(plan['Execution Time']).toBeGreaterThan(0)
    expect(await driver.rows('select count(*) from public.steps where a = 300')).toEqual([['0']])
    const wrong = await run('select nonsense', { mode: 'explain' })
    expect(wrong.statements[0]?.error).toMatchObject({ code: '42703', position: 'select '.length })
  })

  test('what changes the schema is described to the workbench', async () => {
    await run('create table public.fresh (id int primary key, note text)')
    const described = await (await fetch(`${backend.url}/_chartroom/schema`)).json()
    expect(Object.keys(described.schemas.public.definitions)).toContain('fresh')
  })

  test('what cannot run in a transaction, runs', async () => {
    const { statements, end } = await run(
      'vacuum public.vessels; create index concurrently on public.many (n)',
    )
    expect(statements.map(({ tag }) => tag)).toEqual(['VACUUM', 'CREATE INDEX'])
    expect(end).toBe('done')
  })

  test('COPY to and from the client is refused with a reason', async () => {
    for (const sql of ['copy public.vessels to stdout', 'copy public.vessels from stdin']) {
      const { statements } = await run(sql)
      expect(statements[0]?.error?.message).toContain('not supported here')
    }
    expect((await run('select 1')).end).toBe('done')
  })

  test('empty scripts and comments run nothing', async () => {
    for (const sql of ['', ' ; ;', '-- only a comment', '/* a */ ;'])
      expect(await run(sql)).toMatchObject({ end: 'done', statements: [] })
  })

  test('accounts are listed, and found by a text', async () => {
    const list = async (search = '') => (await fetch(`${backend.url}/_chartroom/sql?search=${search}`)).json()
    const emails = (await driver.rows('select email from auth.users')).flat()
    expect(new Set((await list()).accounts.map(({ email }: { email: string }) => email))).toEqual(
      new Set(emails),
    )
    expect((await list('SKIP')).accounts).toMatchObject([{ email: 'skipper@harbour.test' }])
  })

  test('only pages of the same origin on this machine, and programs, may run SQL', async () => {
    const body = JSON.stringify({ id: crypto.randomUUID(), sql: 'select 1' })
    const json = { 'content-type': 'application/json' }
    const status = async (headers: Record<string, string>, method = 'POST') =>
      (
        await fetch(`${backend.url}/_chartroom/sql`, {
          method,
          headers,
          ...(method === 'POST' ? { body } : {}),
        })
      ).status
    expect(await status(json)).toBe(200)
    expect(await status({ ...json, origin: backend.url, 'sec-fetch-site': 'same-origin' })).toBe(200)
    expect(await status({ ...json, origin: 'http://localhost:1', 'sec-fetch-site': 'same-site' })).toBe(403)
    expect(await status({ ...json, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' })).toBe(
      403,
    )
    expect(await status({ ...json, 'sec-fetch-site': 'cross-site' })).toBe(403)
    expect(await status({ ...json, 'x-forwarded-for': '203.0.113.7' })).toBe(403)
    expect(await status({ 'content-type': 'text/plain' })).toBe(415)
    expect(await status({ 'sec-fetch-site': 'cross-site' }, 'GET')).toBe(403)
  })

  test('a request that is none is refused', async () => {
    const status = async (options: object, sql = 'select 1') => (await backend.send(sql, options)).status
    expect(await status({ as: 'postgres' })).toBe(400)
    expect(await status({ maxRows: 0 })).toBe(400)
    expect(await status({ maxRows: 1_000_000 })).toBe(400)
    expect(await status({ limitMs: 10 })).toBe(400)
    expect(await status({ id: 'x' })).toBe(400)
    expect(await status({ mode: 'commit' })).toBe(400)
    expect(
      (await fetch(`${backend.url}/_chartroom/sql/${crypto.randomUUID()}`, { method: 'DELETE' })).status,
    ).toBe(404)
    expect((await fetch(`${backend.url}/_chartroom/sql`, { method: 'PUT' })).status).toBe(405)
  })
})
