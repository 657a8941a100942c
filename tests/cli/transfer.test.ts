// `chartroom backend export` and `chartroom backend import`: a data directory round-trips through one file.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { startBackend } from '../../backend/index.ts'
import { exportCommand, importCommand } from '../../src/cli/backend.ts'
import { signedIn } from '../harness/backend.ts'

const root = mkdtempSync(join(tmpdir(), 'chartroom-transfer-'))
const data = join(root, 'data')
const file = join(root, 'harbour.tar.gz')
let output = ''

beforeAll(async () => {
  const backend = await startBackend({ data: { dir: data } })
  const skipper = await signedIn(backend, 'skipper')
  await skipper.from('vessels').insert({ name: 'Wanderer' })
  const { data: user } = await skipper.auth.getUser()
  await skipper.storage.from('charts').upload(`${user.user?.id}/kept.bin`, Uint8Array.of(0, 255, 10))
  await backend.stop()
  expect(await exportCommand([file, '--data', data])).toBe(0)
})
beforeEach(() => {
  output = ''
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation(text => Boolean((output += String(text))))
  }
  return () => vi.restoreAllMocks()
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

test('restores rows, files and accounts; includes keys only on request', async () => {
  const copy = join(root, 'copy')
  expect(await importCommand([file, '--data', copy])).toBe(0)
  expect(output).toBe(`${copy} holds the data of ${file}.\n`)
  const backend = await startBackend({ data: { dir: copy } })
  try {
    const skipper = await signedIn(backend, 'skipper')
    expect((await skipper.from('vessels').select('name').eq('name', 'Wanderer')).data).toHaveLength(1)
    const { data: user } = await skipper.auth.getUser()
    const kept = await skipper.storage.from('charts').download(`${user.user?.id}/kept.bin`)
    expect(new Uint8Array((await kept.data?.arrayBuffer()) ?? [])).toEqual(Uint8Array.of(0, 255, 10))
    expect(await exportCommand([join(root, 'running'), '--data', copy])).toBe(1)
    expect(output).toContain('is in use by process')
  } finally {
    await backend.stop()
  }
  const secretsOf = (dir: string) => readFileSync(join(dir, 'secrets.json'), 'utf8')
  expect(secretsOf(copy)).not.toBe(secretsOf(data))

  const whole = join(root, 'whole.tar.gz')
  expect(await exportCommand([whole, '--data', data, '--with-secrets'])).toBe(0)
  expect(statSync(whole).mode & 0o777).toBe(0o600)
  const twin = join(root, 'twin')
  expect(await importCommand([whole, '--data', twin])).toBe(0)
  expect(secretsOf(twin)).toBe(secretsOf(data))
})

test('a kill during an import leaves the complete import or nothing', async () => {
  const rowsIn = async (dir: string) => {
    const backend = await startBackend({ data: { dir } })
    const { data: rows } = await (await signedIn(backend, 'skipper')).from('vessels').select('name')
    await backend.stop()
    return rows?.map(({ name }) => name)
  }
  const target = join(root, 'killed')
  expect(await importCommand([file, '--data', target])).toBe(0)
  // The state after everything is written, with the old database half deleted.
  mkdirSync(join(target, 'import.ready'))
  renameSync(join(target, 'database'), join(target, 'import.ready', 'database'))
  mkdirSync(join(target, 'database'))
  writeFileSync(join(target, 'database', 'CHARTROOM_READY'), 'harbour')
  // The state while the next import is written.
  mkdirSync(join(target, 'import.partial', 'database'), { recursive: true })
  expect(await rowsIn(target)).toContain('Wanderer')
  expect(readdirSync(target).sort()).toEqual(['database', 'lock', 'lock.json', 'objects', 'secrets.json'])
})

test('replaces nothing without --force', async () => {
  expect(await exportCommand([file, '--data', data])).toBe(1)
  expect(output).toContain(`${file} already exists. Add --force to replace it.`)
  expect(await importCommand([file, '--data', data])).toBe(1)
  expect(output).toContain(`${data} is not empty. Add --force to replace its contents.`)
  expect(await importCommand([file, '--data', data, '--force'])).toBe(0)
})

/** The file with changed bytes in its tar. */
function damaged(change: (tar: Buffer) => Buffer): string {
  const path = join(root, 'damaged.tar.gz')
  writeFileSync(path, gzipSync(change(gunzipSync(readFileSync(file))), { level: 1 }))
  return path
}
const replaced = (from: string, to: string) => (tar: Buffer) => {
  const at = tar.indexOf(from)
  tar.write(to, at, 'latin1')
  return tar
}

test.each([
  [
    'a flipped byte',
    (tar: Buffer) => tar.fill(7, tar.length >> 1, (tar.length >> 1) + 100),
    /The file is damaged: \S+ differs from the export\./,
  ],
  ['truncated', (tar: Buffer) => tar.subarray(0, 5_000_000), /The file is damaged/],
  [
    'a newer format',
    replaced('"version":1', '"version":9'),
    /The file was created by a newer Chartroom \(format 9; this one reads 1\)\./,
  ],
  [
    'another database',
    replaced('"database":"0.4.5"', '"database":"0.5.5"'),
    /Its database has version 0\.5\.5/,
  ],
  [
    'a path outside of the folder',
    replaced('"database/PG_VERSION"', '"database/../_VERSIO"'),
    /its list of contents is damaged/,
  ],
])('reports %s and writes nothing', async (_what, change, message) => {
  const target = join(root, 'untouched')
  expect(await importCommand([damaged(change), '--data', target])).toBe(1)
  expect(output).toMatch(message)
  expect(existsSync(target)).toBe(false)
})

test('a file that unpacks to a gigabyte is refused early, with little memory', async () => {
  const tar = gunzipSync(readFileSync(file))
  const at = tar.indexOf('database/PG_VERSION\0')
  const large = tar.subarray(0, at + 512)
  large.write('10000000000\0', at + 124)
  const zeros = gzipSync(Buffer.alloc(16 * 1024 * 1024))
  const bomb = join(root, 'bomb.tar.gz')
  writeFileSync(bomb, Buffer.concat([gzipSync(large), ...Array<Buffer>(64).fill(zeros)]))
  const before = process.memoryUsage().rss
  let most = before
  const sampling = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 5)
  const code = await importCommand([bomb, '--data', join(root, 'untouched')])
  clearInterval(sampling)
  expect([code, output]).toEqual([
    1,
    expect.stringContaining('The file unpacks to more than any export contains.'),
  ])
  expect(existsSync(join(root, 'untouched'))).toBe(false)
  expect(statSync(bomb).size).toBeLessThan(2_000_000)
  expect(most - before).toBeLessThan(250 * 1024 * 1024)
})

test.each([
  [exportCommand, [], 'No file was given.'],
  [exportCommand, ['a', 'b', '--data', 'x'], 'More than one file was given.'],
  [exportCommand, ['a'], '--data is missing. Name the data directory.'],
  [exportCommand, ['a', '--dta', 'x'], 'Unknown flag "--dta". Did you mean "--data"?'],
  [importCommand, ['a', '--with-secrets', '--data', 'x'], 'Unknown flag "--with-secrets".'],
])('arguments that can not be used exit 2: %#', async (command, args, message) => {
  expect(await command(args)).toBe(2)
  expect(output).toContain(message)
  expect(output).toContain('Usage: chartroom')
})

test('reports missing files and folders', async () => {
  expect(await exportCommand([join(root, 'x'), '--data', join(root, 'nowhere')])).toBe(1)
  expect(output).toContain('contains no backend data.')
  expect(await importCommand([join(root, 'nothing'), '--data', join(root, 'y')])).toBe(1)
  expect(output).toContain(`The file does not exist: ${join(root, 'nothing')}`)
  writeFileSync(join(root, 'noise'), 'noise')
  expect(await importCommand([join(root, 'noise'), '--data', join(root, 'y')])).toBe(1)
  expect(output).toContain('The file is damaged or is not a Chartroom export.')
})
