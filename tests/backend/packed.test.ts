// Packed folders: the same on disk afterwards, and shared by databases in memory without one seeing another's writes.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { packFolder, readPacked, unpackFolder } from '../../backend/database/packed.ts'
import { startOwnBackend } from '../harness/backend.ts'
import { testOnPglite } from '../harness/engine.ts'
import { directSql } from '../harness/realtime.ts'

const root = mkdtempSync(join(tmpdir(), 'chartroom-packed-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Paths, modes and contents. */
const contentsOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map(name => {
      const { mode } = statSync(join(folder, name))
      return [name, mode, statSync(join(folder, name)).isFile() && readFileSync(join(folder, name), 'hex')]
    })

test('a folder is the same after packing and unpacking', () => {
  const [from, to, file] = ['from', 'to', 'packed'].map(name => join(root, name)) as [string, string, string]
  mkdirSync(join(from, 'empty'), { recursive: true })
  mkdirSync(join(from, 'pg_wal/deep'), { recursive: true, mode: 0o700 })
  writeFileSync(join(from, 'pg_wal/deep/log'), Buffer.concat([Buffer.from('begin'), Buffer.alloc(20_000)]))
  writeFileSync(join(from, 'pg_wal/zeros'), Buffer.alloc(9), { mode: 0o600 })
  writeFileSync(join(from, 'nothing'), '')
  writeFileSync(join(from, 'ñ ⚓'), Buffer.from([0, 1, 0]))
  packFolder(from, file)
  unpackFolder(file, to)
  expect(contentsOf(to)).toEqual(contentsOf(from))
  expect(statSync(file).size).toBeLessThan(1_000)
  const log = readPacked(file).find(({ path }) => path === 'pg_wal/deep/log')?.content
  expect([log?.bytes.length, log?.size]).toEqual([5, 20_005])
})

testOnPglite(
  'databases in memory do not see what another writes, nor does one that starts later',
  async () => {
    const start = async () => directSql(await startOwnBackend({ databaseAccess: {} }))
    const [one, other] = [await start(), await start()]
    // Within the pages that the file has, visible to any database that reads them, and written.
    await one`update log_entries set note = 'mine' where id = (select max(id) from log_entries)`
    await one`vacuum freeze log_entries`
    await one`checkpoint`
    const count = async (sql: typeof one) => {
      const rows = await sql`select count(*)::int from log_entries where note = 'mine'`
      return rows[0]?.['count'] as number
    }
    const later = await start()
    expect([await count(one), await count(other), await count(later)]).toEqual([1, 0, 0])
  },
)
