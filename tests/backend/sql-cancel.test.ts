// Scripts that run too long: canceled by the user or the time limit, on both engines, while the backend goes on.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { atTestEnd } from '../harness/endings.ts'
import { type Report, type SqlBackend, startSqlBackend } from '../harness/sql-backend.ts'

/** Each would run for hours. */
const ENDLESS = {
  'a loop': 'do $$ begin loop end loop; end $$',
  sleep: 'select pg_sleep(100000)',
  'a recursive query':
    'with recursive t as (select 1 as n union all select n + 1 from t) select count(*) from t',
  'a huge sort': `select count(*) from (select md5(g::text) as x from generate_series(1, 300000000) g order by 1) s`,
  'a cross join':
    'select count(*) from generate_series(1, 1000000) a, generate_series(1, 1000000) b where a + b < 0',
  /** An odd number of letters is never twice the same groups; all ways to divide it are tried. */
  'a slow pattern': String.raw`select repeat('a', 1001) || 'b' ~ '^(a+)(a+)(a+)(a+)(a+)(a+)\1\2\3\4\5\6b$'`,
}

/** Catches that it is canceled. */
const STUBBORN = `do $$ begin loop
  begin loop end loop; exception when query_canceled then raise notice 'canceled'; end;
end loop; end $$`

const cancelByDelete = async (backend: SqlBackend, id: string): Promise<Report> => {
  const response = await fetch(`${backend.url}/_chartroom/sql/${id}`, { method: 'DELETE' })
  expect(response.status).toBe(200)
  return (await response.json()) as Report
}

/** Sends a script, and closes its connection after a moment. */
async function sendAndClose(backend: SqlBackend, sql: string, options: object = {}): Promise<string> {
  const id = crypto.randomUUID()
  const closing = AbortSignal.timeout(400)
  const sent = backend.send(sql, { id, limitMs: 120_000, ...options }, { signal: closing })
  await expect(sent).rejects.toThrow(/aborted/)
  return id
}

describe.each(['pglite', 'postgres'] as const)('on %s', async engine => {
  const backend = await startSqlBackend(engine)
  await backend.run('create table public.kept (n int); insert into public.kept values (1)')

  test.each(Object.entries(ENDLESS))('%s ends at the time limit, and REST answers', async (_, sql) => {
    const start = performance.now()
    const { end, statements } = await backend.run(
      `insert into public.kept values (2); begin; insert into public.kept values (3); ${sql}`,
      {
        limitMs: 1_000,
      },
    )
    expect(performance.now() - start).toBeLessThan(6_000)
    expect(end).toBe('timedOut')
    expect(statements[3]?.error).toMatchObject({
      code: '57014',
      message: 'canceling statement due to user request',
    })
    expect(await backend.timeOfRest()).toBeLessThan(5_000)
    const {
      statements: [rows],
    } = await backend.run('delete from public.kept where n = 2; select n from public.kept where n > 1')
    expect(rows?.tag).toBe('DELETE 1')
    expect((await backend.run('select count(*) from public.kept')).statements[0]?.rows).toEqual([['1']])
  })

  test.each(Object.entries(ENDLESS))('%s ends when the page closes the connection', async (_, sql) => {
    const id = await sendAndClose(backend, `select 'before'; ${sql}`)
    const start = performance.now()
    const { end, statements } = await cancelByDelete(backend, id)
    expect(end).toBe('canceled')
    expect(statements.map(({ rows, error }) => error?.code ?? rows)).toEqual([[['before']], '57014'])
    expect(await backend.timeOfRest()).toBeLessThan(5_000)
    expect(performance.now() - start).toBeLessThan(6_000)
  })

  test('a function that catches the cancellation is ended, and what was committed is kept', async () => {
    await backend.run('insert into public.kept values (10)')
    const id = await sendAndClose(backend, `begin; insert into public.kept values (11); ${STUBBORN}`)
    const { end, statements } = await cancelByDelete(backend, id)
    expect(end).toBe('canceled')
    expect(statements[2]?.error?.hint).toContain('did not end when it was canceled')
    expect((await backend.run('select n from public.kept where n >= 10')).statements[0]?.rows).toEqual([
      ['10'],
    ])
    expect(await backend.timeOfRest()).toBeLessThan(5_000)
    const ran = await backend.run(STUBBORN, { limitMs: 1_000 })
    expect(ran.end).toBe('timedOut')
    expect((await backend.run('select n from public.kept where n >= 10')).statements[0]?.rows).toEqual([
      ['10'],
    ])
  })

  test('a result that is too large to hold is canceled', async () => {
    const { end, statements } = await backend.run(
      `select repeat('x', 4000000) from generate_series(1, 1000)`,
      { limitMs: 60_000 },
    )
    expect(end).toBe('tooLarge')
    expect(statements[0]?.error?.code).toBe('57014')
    expect((await backend.run('select 1')).end).toBe('done')
  })

  test('a script that has ended is not canceled', async () => {
    const id = crypto.randomUUID()
    expect((await backend.send('select 1', { id })).status).toBe(200)
    expect(await cancelByDelete(backend, id)).toEqual({ end: 'done' })
  })

  test('scripts at the same time all end', async () => {
    const all = await Promise.all(
      Array.from({ length: 4 }, (_, n) => backend.run(`select pg_sleep(0.2), ${n}`)),
    )
    expect(all.map(({ statements }) => statements[0]?.rows[0]?.[1])).toEqual(['0', '1', '2', '3'])
  })
})

test('a server answers other requests while a script runs', async () => {
  const backend = await startSqlBackend('postgres')
  const id = crypto.randomUUID()
  const running = backend.send('select pg_sleep(30)', { id, limitMs: 60_000 })
  for (let n = 0; n < 3; n += 1) expect(await backend.timeOfRest()).toBeLessThan(3_000)
  await cancelByDelete(backend, id)
  expect(((await (await running).json()) as Report).end).toBe('canceled')
})

test('a database in a folder keeps what was committed when a statement has to be ended', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'chartroom-sql-'))
  atTestEnd(() => rmSync(dir, { recursive: true, force: true }))
  const backend = await startSqlBackend('pglite', dir)
  await backend.run('create table public.kept (n int); insert into public.kept values (1)')
  const ran = await backend.run(`begin; insert into public.kept values (2); ${STUBBORN}`, { limitMs: 1_000 })
  expect(ran.end).toBe('timedOut')
  expect((await backend.run('select n from public.kept')).statements[0]?.rows).toEqual([['1']])
  await backend.run('insert into public.kept values (3)')
  await backend.stop()
  const again = await startSqlBackend('pglite', dir)
  expect((await again.run('select n from public.kept order by 1')).statements[0]?.rows).toEqual([
    ['1'],
    ['3'],
  ])
  await again.stop()
})
