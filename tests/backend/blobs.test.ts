// Blobs on disk and in memory: complete ones, unfinished ones, and invalid names.
import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import type { Database } from '../../backend/database/index.ts'
import { ObjectStore } from '../../backend/storage/index.ts'
import { UnavailableError } from '../../backend/shared/unavailable.ts'
import { createDiskBlobs, createMemoryBlobs } from '../../backend/storage/blobs.ts'

const root = mkdtempSync(join(tmpdir(), 'chartroom-blobs-'))
const folder = join(root, 'objects')
afterAll(() => rmSync(root, { recursive: true, force: true }))

const textOf = async (stream: ReadableStream<Uint8Array> | undefined) => new Response(stream ?? null).text()

test.each([
  ['on disk', () => createDiskBlobs(folder)],
  ['in memory', createMemoryBlobs],
])('parts %s form a blob once they are finished', async (_where, create) => {
  const blobs = create()
  const [version, empty, given] = [randomUUID(), randomUUID(), randomUUID()]
  await blobs.append(version, [Buffer.from('ab'.repeat(50_000))])
  await blobs.append(version, [Buffer.from('c')])
  expect(await blobs.open(version)).toBeUndefined()
  await blobs.finish(version)
  const content = await blobs.open(version)
  expect(content?.size).toBe(100_001)
  expect(await textOf(content?.stream())).toBe(`${'ab'.repeat(50_000)}c`)
  await blobs.finish(empty)
  expect((await blobs.open(empty))?.size).toBe(0)
  expect(await textOf((await blobs.open(empty))?.stream())).toBe('')
  await blobs.append(given, [Buffer.from('x')])
  await blobs.remove([version, given])
  expect(await blobs.open(version)).toBeUndefined()
})

test('keeps described unfinished blobs of an earlier process', async () => {
  const [version, empty, done] = [randomUUID(), randomUUID(), randomUUID()]
  const before = createDiskBlobs(folder)
  for (const each of [version, empty, done]) await before.describe(each, `of ${each}`)
  for (const each of [version, done]) await before.append(each, [Buffer.from('abc')])
  await before.finish(done)
  const blobs = createDiskBlobs(folder)
  const described = await blobs.described()
  const found = await Promise.all(
    described.map(async ({ content, ...each }) => ({
      ...each,
      size: content.size,
      text: await textOf(content.stream()),
    })),
  )
  expect(found.sort((a, b) => b.size - a.size)).toEqual([
    { version, description: `of ${version}`, size: 3, text: 'abc' },
    { version: empty, description: `of ${empty}`, size: 0, text: '' },
  ])
  await blobs.append(version, [Buffer.from('d')])
  await blobs.finish(version)
  expect(await textOf((await blobs.open(version))?.stream())).toBe('abcd')
  await blobs.remove([empty])
  expect(await createDiskBlobs(folder).described()).toEqual([])
})

test('removes unfinished blobs of an earlier process', async () => {
  const version = randomUUID()
  await createDiskBlobs(folder).append(version, [Buffer.from('x')])
  const part = join(folder, 'unfinished', version)
  expect(statSync(part).mode & 0o777).toBe(0o600)
  createDiskBlobs(folder)
  expect(existsSync(part)).toBe(false)
})

test.each(['../../secret', 'a', '', '../secret', `${randomUUID()}/../../secret`, `${randomUUID()}\n`])(
  '%j is not a valid blob name',
  async version => {
    const secret = join(root, 'secret')
    writeFileSync(secret, 'a file next to the folder')
    const blobs = createDiskBlobs(folder)
    expect(await blobs.open(version)).toBeUndefined()
    await blobs.remove([version])
    for (const write of [blobs.put(version, []), blobs.append(version, [])])
      await expect(write).rejects.toThrow('A blob name must be a UUID')
    await expect(blobs.finish(version)).rejects.toThrow('A blob name must be a UUID')
    expect(readdirSync(root).sort()).toEqual(['objects', 'secret'])
  },
)

test.each([
  [
    'keeps the file after a database failure, since the record may be committed',
    new UnavailableError('failed'),
    1,
  ],
  ['removes the file after a rejected record', new Error('refused'), 0],
])('an upload %s', async (_what, error, kept) => {
  const blobs = createMemoryBlobs()
  const stored = new Set<string>()
  const store = new ObjectStore(failingDatabase(error), {
    ...blobs,
    put: async version => void stored.add(version),
    remove: async versions => versions.forEach(version => stored.delete(version)),
  })
  const upload = {
    bytes: [Buffer.from('x')],
    contentType: 'text/plain',
    cacheControl: '',
    userMetadata: undefined,
  }
  const write = store.write({ role: 'anon' }, { bucket: 'charts', name: 'a.txt' }, upload, false)
  await expect(write).rejects.toBe(error)
  expect(stored.size).toBe(kept)
})

/** Finds the bucket and fails to record an object. */
function failingDatabase(error: Error): Database {
  const bucket = { id: 'charts', file_size_limit: null, allowed_mime_types: null }
  const owner = vi.fn<() => Promise<unknown>>().mockResolvedValueOnce([bucket]).mockRejectedValueOnce(error)
  return { owner, as: vi.fn<Database['as']>() } as Partial<Database> as Database
}
