// Folder sizes: files at any depth, and where counting stops.
import { expect, test } from 'vitest'
import { folderSize } from '../../../src/services/workbench/files/folder-size.ts'
import type { StoredObject } from '../../../src/services/workbench/files/index.ts'
import type { Bucket } from '../../../src/services/workbench/files/tree.ts'

const file = (name: string, size?: number): StoredObject => ({
  name,
  id: name,
  metadata: size === undefined ? {} : { size },
})
const folder = (name: string): StoredObject => ({ name, id: null })

/** A bucket of these folders; counts its requests. */
function bucketOf(folders: Readonly<Record<string, readonly StoredObject[]>>, most = Infinity) {
  const listed: string[] = []
  const list = (path: string, { limit, offset }: { readonly limit: number; readonly offset: number }) => {
    listed.push(path)
    return Promise.resolve({
      data: (folders[path] ?? []).slice(offset, offset + Math.min(limit, most)),
      error: null,
    })
  }
  return { bucket: { list } as unknown as Bucket, listed }
}

const { signal } = new AbortController()

test('files of all depths are added up, without the markers of empty folders', async () => {
  const { bucket } = bucketOf({
    maps: [file('a.png', 10), folder('old'), file('.emptyFolderPlaceholder', 3)],
    'maps/old': [file('b.png', 5), file('unknown')],
  })
  expect(await folderSize(bucket, 'maps', signal)).toEqual({ files: 3, bytes: 15, unsized: 1, isWhole: true })
})

test('counting stops after ten thousand entries, and the result is a minimum', async () => {
  const many = Array.from({ length: 12_000 }, (_, at) => file(`${at}`, 1))
  const { bucket, listed } = bucketOf({ maps: many })
  expect(await folderSize(bucket, 'maps', signal)).toEqual({
    files: 10_000,
    bytes: 10_000,
    unsized: 0,
    isWhole: false,
  })
  expect(listed).toHaveLength(10)
  const exact = bucketOf({ maps: many.slice(0, 2_000) })
  expect(await folderSize(exact.bucket, 'maps', signal)).toMatchObject({ files: 2_000, isWhole: true })
})

test('a page that is as large as the others is followed by another one, whatever the server returns at once', async () => {
  const { bucket, listed } = bucketOf({ maps: Array.from({ length: 25 }, (_, at) => file(`${at}`, 1)) }, 10)
  expect(await folderSize(bucket, 'maps', signal)).toMatchObject({ files: 25, isWhole: true })
  expect(listed).toHaveLength(3)
})

test('counting stops after two hundred requests', async () => {
  const names = Array.from({ length: 300 }, (_, at) => `f${at}`)
  const { bucket, listed } = bucketOf({
    maps: names.map(folder),
    ...Object.fromEntries(names.map(name => [`maps/${name}`, [file('x', 1)]])),
  })
  expect(await folderSize(bucket, 'maps', signal)).toMatchObject({ files: 198, isWhole: false })
  expect(listed).toHaveLength(200)
})
