// Lists everything below a folder, at any depth and size, for move, copy and delete.
import type { AnyDataClient } from '../rest/any-database.ts'
import { joinPath, type StoredObject } from './listing.ts'
import { readObjects } from './read-files.ts'

/** The storage of one bucket. */
export type Bucket = ReturnType<AnyDataClient['storage']['from']>

/** Page size of a folder listing; a server may return fewer entries. */
const PAGE = 1000

/** One page of a folder; throws the call's error. */
async function listPage(
  bucket: Bucket,
  folder: string,
  offset: number,
  signal: AbortSignal | undefined,
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

/** What is known while folders are listed one after the other. */
export interface Walk {
  requests: number
  /** Entries of the largest page: the server can return as many at once. */
  largest: number
}

/**
 * The pages of a folder. A page that is as large as any other one before is not taken for the last one: a server may
 * return fewer entries at once than requested. Throws the call's error.
 */
export async function* listFolder(
  bucket: Bucket,
  folder: string,
  signal?: AbortSignal,
  walk: Walk = { requests: 0, largest: 0 },
): AsyncGenerator<readonly StoredObject[]> {
  const names = new Set<string>()
  for (let offset = 0; ;) {
    walk.requests += 1
    const page = await listPage(bucket, folder, offset, signal)
    const isShort = page.length < walk.largest
    walk.largest = Math.max(walk.largest, page.length)
    offset += page.length
    const fresh = page.filter(({ name }) => !names.has(name))
    if (fresh.length === 0) return
    for (const { name } of fresh) names.add(name)
    yield fresh
    if (isShort) return
  }
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
  onFound: (count: number) => void,
  signal: AbortSignal,
): Promise<readonly Within[]> {
  const files: Within[] = []
  const folders: string[] = []
  const walk: Walk = { requests: 0, largest: 0 }
  for (const { path, isFolder, size } of entries) {
    if (isFolder) folders.push(path)
    else files.push({ path, size: size ?? 0 })
  }
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for await (const page of listFolder(bucket, folder, signal, walk)) {
      for (const object of page) {
        const path = joinPath(folder, object.name)
        const size = object.metadata?.['size']
        if (object.id === null) folders.push(path)
        else files.push({ path, size: typeof size === 'number' ? size : 0 })
      }
      onFound(files.length)
    }
  }
  return files
}

/** The target of a file below `entry` when `entry` is placed at `target`. */
export const movedPath = (path: string, entry: string, target: string): string =>
  path === entry ? target : `${target}${path.slice(entry.length)}`
