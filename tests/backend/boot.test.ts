// Startup: its phases, and extensions that a database already has.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { afterAll, expect, test } from 'vitest'
import { extensionsNamed } from '../../backend/database/index.ts'
import { startBackend, type Backend, type BackendOptions } from '../../backend/index.ts'
import { isOnServer } from '../harness/engine.ts'

const root = mkdtempSync(join(tmpdir(), 'chartroom-boot-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** The phases of one start; `work` may use the backend before it stops. */
async function phasesOf(
  data: BackendOptions['data'],
  work: (backend: Backend) => Promise<void> = async () => undefined,
): Promise<string[]> {
  const phases: [string, number][] = []
  const backend = await startBackend({
    data,
    databaseAccess: {},
    onPhase: (name, milliseconds) => phases.push([name, milliseconds]),
  })
  try {
    await work(backend)
  } finally {
    await backend.stop()
  }
  expect(Math.min(...phases.map(([, milliseconds]) => milliseconds))).toBeGreaterThanOrEqual(0)
  return phases.map(([name]) => name)
}

test('copies a new folder into place, only opens an existing one, and fills memory', async () => {
  const data = { dir: join(root, 'data') }
  expect(await phasesOf(data)).toEqual(['snapshot', 'copy', 'database', 'rest', 'realtime'])
  expect(await phasesOf(data)).toEqual(['database', 'rest', 'realtime'])
  expect(await phasesOf('memory')).toEqual(['snapshot', 'database', 'rest', 'realtime'])
})

test('two databases copied from the same snapshot are independent', async () => {
  const secrets: string[] = []
  const rows: unknown[] = []
  for (const name of ['one', 'two']) {
    await phasesOf({ dir: join(root, name) }, async backend => {
      secrets.push(backend.secretKey, backend.databaseUrl ?? '')
      const sql = postgres(backend.databaseUrl ?? '', { max: 1 })
      await sql`insert into public.vessels (name) values (${name})`
      rows.push(
        (await sql`select name from public.vessels where name in ('one', 'two')`).map(row => row['name']),
      )
      await sql.end()
    })
  }
  expect(rows).toEqual([['one'], ['two']])
  expect(new Set(secrets).size).toBe(4)
})

test('an extension works after a restart', async () => {
  const data = { dir: join(root, 'extended') }
  const similarity = async ({ databaseUrl = '' }: Backend, ...before: string[]) => {
    const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined })
    for (const statement of before) await sql.unsafe(statement)
    expect([...(await sql`select similarity('abc', 'abd') > 0 as similar, earth() > 0 as earth`)]).toEqual([
      { similar: true, earth: true },
    ])
    await sql.end()
  }
  await phasesOf(data, backend =>
    similarity(
      backend,
      'create extension pg_trgm',
      // A driver of a server is no superuser, and the extension is not trusted.
      isOnServer
        ? `call extensions.chartroom_create_extension('earthdistance', 'public', false, true)`
        : 'create extension if not exists earthdistance cascade',
    ),
  )
  await phasesOf(data, similarity)
})

test.each([
  ['create extension pg_trgm', ['pg_trgm']],
  [
    'CREATE EXTENSION IF NOT EXISTS "uuid-ossp" WITH SCHEMA extensions;\ncreate  extension\nHstore;',
    ['uuid-ossp', 'hstore'],
  ],
  ['drop extension pg_trgm; select 1', []],
])('extensions that %j names', (sql, names) => expect(extensionsNamed(sql)).toEqual(names))
