// What starts and queries do not do, because it would cost time each time.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import postgres from 'postgres'
import { expect, test } from 'vitest'
import { openDatabase } from '../../backend/database/index.ts'
import { startBackend } from '../../backend/index.ts'
import { bare } from '../../backend/project/index.ts'
import { generateSecrets } from '../../backend/shared/data-directory.ts'
import { createMemoryBlobs } from '../../backend/storage/index.ts'
import { isOnServer, testOnPglite } from '../harness/engine.ts'

test('the start of an existing data folder changes no schema, and runs no PL/pgSQL', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'chartroom-start-'))
  const use = async <T>(work: (query: postgres.Sql) => Promise<T>): Promise<T> => {
    const backend = await startBackend({ data: { dir }, databaseAccess: {} })
    const query = postgres(backend.databaseUrl ?? '', { max: 1 })
    try {
      return await work(query)
    } finally {
      await query.end()
      await backend.stop()
    }
  }
  try {
    await use(query =>
      query.unsafe(`create table public.changes (tag text);
        create function public.note() returns event_trigger language plpgsql as $$
        begin insert into public.changes values (tg_tag); end $$;
        ${
          isOnServer
            ? `call extensions.chartroom_create_event_trigger('note', 'ddl_command_end', null, 'public.note()'::regprocedure)`
            : 'create event trigger note on ddl_command_end execute function public.note()'
        };`),
    )
    const start = await use(async query => ({
      changes: await query`select tag from public.changes`,
      // PL/pgSQL has these settings as soon as PostgreSQL has loaded it.
      languages: await query`select name from pg_settings where name like 'plpgsql.%'`,
    }))
    expect(start).toEqual({ changes: [], languages: [] })
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
})

testOnPglite('PostgreSQL is compiled on other threads while the services load', async () => {
  const script = `import { registerHooks } from 'node:module'
    const { compile } = WebAssembly
    let [loaded, before] = [0, undefined]
    registerHooks({ load: (url, context, next) => { loaded += 1; return next(url, context) } })
    WebAssembly.compile = bytes => { before ??= loaded; return compile(bytes) }
    const { startBackend } = await import('./backend/index.ts')
    const backend = await startBackend({ data: 'memory' })
    await backend.stop()
    console.log(JSON.stringify({ before, loaded }))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    cwd: join(import.meta.dirname, '../..'),
  })
  const { before, loaded } = JSON.parse(stdout) as Record<string, number>
  expect(before).toBeLessThan(20)
  expect(loaded).toBeGreaterThan(400)
})

test('PGlite reads arrays of values, and has no parsers for arrays of the catalog’s rows', async () => {
  const database = await openDatabase({ secrets: generateSecrets() }, bare(undefined, createMemoryBlobs()))
  try {
    const { rows, parsers } = (await database.exclusive?.(async ({ driver }) => ({
      ...(await driver.query(
        `select array['a', null] as texts, array[1, 2] as numbers, null::date[] as dates`,
      )),
      parsers: new Set(Object.keys(driver.parsers).map(Number)),
    }))) ?? { rows: [], parsers: new Set() }
    expect(rows).toEqual([{ texts: ['a', null], numbers: [1, 2], dates: null }])
    const types = await database.owner(tx =>
      tx.query<{ name: string; typarray: number }>(
        `select oid::regtype::text as name, typarray from pg_type where oid in ('pg_class'::regtype, 'auth.users'::regtype, 'date'::regtype)`,
      ),
    )
    expect(Object.fromEntries(types.map(({ name, typarray }) => [name, parsers.has(typarray)]))).toEqual({
      pg_class: false,
      'auth.users': true,
      date: true,
    })
  } finally {
    await database.close()
  }
})
