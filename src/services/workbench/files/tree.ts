// Lists everything below a folder, at any depth and size, for move, copy and delete.
import type { AnyDataClient } from '../rest/any-database.ts'
import { joinPath, type StoredObject } from './listing.ts'
import { readObjects } from './read-files.ts'

/** The storage of one bucket. */
export type Bucket = ReturnType<AnyDataClient['storage']['from']>

/** Page size of a folder listing. */
export const PAGE = 1000

/** One page of a folder; throws the call's error. */
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

/** The files of `paths`, recursing into those with `isFolder`; `found` receives the count so far. */
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

/** The target of a file below `entry` when `entry` is placed at `target`. */
export const movedPath = (path: string, entry: string, target: string): string =>
  path === entry ? target : `${target}${path.slice(entry.length)}`
