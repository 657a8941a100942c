// Everything below a folder, however deep and however much: what a move, a copy or a delete of it is made of.
import type { AnyDataClient } from '../../database.ts'
import { joinPath, type StoredObject } from '../listing.ts'
import { readObjects } from '../read-files.ts'

/** The storage of one bucket. */
export type Bucket = ReturnType<AnyDataClient['storage']['from']>

/** What a host gives of a folder at a time. */
export const PAGE = 1000

/** One page of a folder; throws what the call gave as its error. */
export async function listPage(
  bucket: Bucket,
  folder: string,
  offset: number,
  signal?: AbortSignal,
): Promise<readonly StoredObject[]> {
  const order = { column: 'name', order: 'asc' }
  const { data, error } = await bucket.list(
    folder,
    { limit: PAGE, offset, sortBy: order },
    { ...(signal && { signal }) },
  )
  if (error !== null) throw error
  return readObjects(data)
}

export interface Within {
  readonly path: string
  readonly size: number
}

/** The files of `paths`, of which those with `isFolder` are gone through; `found` hears how many there are so far. */
export async function filesWithin(
  bucket: Bucket,
  entries: readonly {
    readonly path: string
    readonly isFolder: boolean
    readonly size?: number | undefined
  }[],
  found: (count: number) => void,
  signal: AbortSignal,
): Promise<readonly Within[]> {
  const files: Within[] = []
  const folders: string[] = []
  for (const { path, isFolder, size } of entries) {
    if (isFolder) folders.push(path)
    else files.push({ path, size: size ?? 0 })
  }
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (let offset = 0; ; offset += PAGE) {
      const page = await listPage(bucket, folder, offset, signal)
      for (const object of page) {
        const path = joinPath(folder, object.name)
        const size = object.metadata?.['size']
        if (object.id === null) folders.push(path)
        else files.push({ path, size: typeof size === 'number' ? size : 0 })
      }
      found(files.length)
      if (page.length < PAGE) break
    }
  }
  return files
}

/** Where a file below one of `entries` goes when that is put at `target`. */
export const movedPath = (path: string, entry: string, target: string): string =>
  path === entry ? target : `${target}${path.slice(entry.length)}`
