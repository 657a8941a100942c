// Damaged files: a damaged snapshot is recreated; a damaged database is reported.
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { pgliteClusters } from '../../backend/database/pglite/clusters.ts'
import { readPacked } from '../../backend/database/packed.ts'
import { takeSnapshot } from '../../backend/database/snapshot.ts'
import type { PgliteEngine } from '../../backend/database/index.ts'
import { startBackend } from '../../backend/index.ts'
import { testOnPglite } from '../harness/engine.ts'

type Services = Parameters<ReturnType<typeof pgliteClusters>['open']>[1]

const root = mkdtempSync(join(tmpdir(), 'chartroom-damage-'))
const cache = join(root, 'cache')
mkdirSync(cache)
afterAll(() => rmSync(root, { recursive: true, force: true }))

/**
 * Takes a snapshot with one file next to the empty cluster; returns how often it was created, and its
 * contents.
 */
async function take() {
  let made = 0
  const fill = async ({ objects }: { objects: string }) => {
    made += 1
    writeFileSync(join(objects, 'tide.txt'), 'high')
  }
  const { archive: packed, objects } = await takeSnapshot(
    { kind: 'bare', clusters: pgliteClusters() },
    fill,
    cache,
  )
  const version = readPacked(packed).find(({ path }) => path === 'PG_VERSION')?.content
  return {
    made,
    version: version && new TextDecoder().decode(version.bytes),
    file: readFileSync(join(objects, 'tide.txt'), 'utf8'),
  }
}

test('a snapshot is created once', async () => {
  const whole = { version: '17\n', file: 'high' }
  expect(await take()).toEqual({ made: 1, ...whole })
  expect(await take()).toEqual({ made: 0, ...whole })
})

test.each([
  ['a changed database', (at: string) => writeFileSync(join(at, 'packed'), 'x')],
  ['a database that was cut off', (at: string) => truncateSync(join(at, 'packed'), 10_000_000)],
  ['a missing database', (at: string) => rmSync(join(at, 'packed'))],
  ['lost objects', (at: string) => rmSync(join(at, 'objects'), { recursive: true })],
  ['a file instead of its folder', (at: string) => (rmSync(at, { recursive: true }), writeFileSync(at, ''))],
  ['a missing checksum', (at: string) => rmSync(join(at, 'sum'))],
])('recreates a snapshot with %s', async (_what, damage) => {
  await take()
  damage(join(cache, readdirSync(cache).find(name => name.startsWith('bare-')) ?? ''))
  expect(await take()).toEqual({ made: 1, version: '17\n', file: 'high' })
  expect(readdirSync(cache).filter(name => name.startsWith('making-'))).toEqual([])
})

test.each([
  ['in which another process makes a snapshot for minutes', 10, true],
  ['that a killed process left', 61, false],
])('a folder %s', async (_what, minutes, stays) => {
  const [making, older] = [join(cache, 'making-another'), join(cache, 'bare-older')]
  await take()
  for (const name of readdirSync(cache)) {
    if (name.startsWith('bare-')) rmSync(join(cache, name), { recursive: true })
  }
  mkdirSync(making)
  mkdirSync(older)
  const begun = Date.now() / 1000 - minutes * 60
  utimesSync(making, begun, begun)
  expect((await take()).made).toBe(1)
  expect(existsSync(making)).toBe(stays)
  for (const folder of [making, older]) rmSync(folder, { recursive: true, force: true })
})

test('snapshots of several variants are kept, whatever their age, and those of older code are not', async () => {
  const variants = ['one', 'two', 'three', 'four'] as const
  const old = Array.from({ length: 4 }, (_, n) => join(cache, `bare-${n}-0.0.1-older`))
  for (const folder of old) mkdirSync(folder)
  let made = 0
  const takeAll = async () => {
    for (const variant of variants) {
      const fill = async () => void (made += 1)
      await takeSnapshot({ kind: 'bare', variant, clusters: pgliteClusters() }, fill, cache)
      const begun = Date.now() / 1000 - 3_600
      for (const name of readdirSync(cache)) utimesSync(join(cache, name), begun, begun)
    }
  }
  await takeAll()
  await takeAll()
  expect(made).toBe(variants.length)
  expect(old.filter(folder => existsSync(folder)).length).toBeLessThanOrEqual(2)
})

testOnPglite('a new database is a copy of the current snapshot, not of the first one', async () => {
  const openCopy = async (text: string) => {
    const clusters = pgliteClusters()
    const fill = async ({ database }: { database: string }) => writeFileSync(join(database, 'tide.txt'), text)
    const { archive: packed } = await takeSnapshot({ kind: 'bare', variant: 'tide', clusters }, fill, cache)
    let read: unknown
    const prepare = async ({ driver }: { driver: Pick<PgliteEngine['driver'], 'query'> }) => {
      const { rows } = await driver.query("select pg_read_file('tide.txt') as text")
      read = rows
      throw new Error('That is all.')
    }
    const services = { settings: {}, prepare, resume: async () => undefined }
    const opened = clusters.open({ copyOf: packed }, services as unknown as Services)
    await expect(opened).rejects.toThrow('That is all.')
    return read
  }
  expect(await openCopy('high')).toEqual([{ text: 'high' }])
  for (const name of readdirSync(cache))
    if (name.includes('-tide-')) rmSync(join(cache, name), { recursive: true })
  expect(await openCopy('low')).toEqual([{ text: 'low' }])
})

const PROGRAM = `import { startBackend } from './backend/index.ts'
  await startBackend({ data: { dir: process.argv[1] } }).catch(error => console.log(error.message))`

testOnPglite('a database that fails to open is reported', async () => {
  const dir = join(root, 'data')
  await (await startBackend({ data: { dir } })).stop()
  const database = join(dir, 'database')
  const wayOut = 'Choose another data directory, or reset it.'
  const start = () => {
    const flags = ['--liftoff-only', '--input-type=module-typescript', '-e', PROGRAM, '--', dir]
    return spawnSync(process.execPath, flags, { encoding: 'utf8' }).stdout.trim()
  }
  writeFileSync(join(database, 'global', 'pg_control'), 'x')
  expect(start()).toBe(
    `The database in ${database} failed to open. Its files may be damaged, or the disk may be full. ${wayOut}`,
  )
  writeFileSync(join(database, 'PG_VERSION'), '18\n')
  expect(start()).toBe(`The database in ${database} was created by PostgreSQL 18, but this is 17. ${wayOut}`)
})
