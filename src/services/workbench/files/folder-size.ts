// The size of a folder: of the files below it, at any depth, up to a number of entries.
import { FOLDER_MARKER, joinPath } from './listing.ts'
import { type Bucket, listFolder, type Walk } from './tree.ts'

export interface FolderSize {
  readonly files: number
  readonly bytes: number
  /** Files whose size the backend does not report; they are missing in `bytes`. */
  readonly unsized: number
  /** False when there are more entries than were counted. */
  readonly isWhole: boolean
}

/** Entries counted at most: each thousand costs a request, and so does each folder. */
const MOST_ENTRIES = 10_000
const MOST_REQUESTS = 200

/** Counts what the user can see below a folder. Throws the call's error. */
export async function folderSize(bucket: Bucket, path: string, signal: AbortSignal): Promise<FolderSize> {
  const folders = [path]
  const walk: Walk = { requests: 0, largest: 0 }
  let [files, bytes, unsized, entries] = [0, 0, 0, 0]
  const isOver = () => entries >= MOST_ENTRIES || walk.requests >= MOST_REQUESTS
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    if (isOver()) return { files, bytes, unsized, isWhole: false }
    for await (const page of listFolder(bucket, folder, signal, walk)) {
      entries += page.length
      for (const { id, name, metadata } of page) {
        const size = metadata?.['size']
        if (id === null) folders.push(joinPath(folder, name))
        else if (name !== FOLDER_MARKER) {
          files += 1
          if (typeof size === 'number') bytes += size
          else unsized += 1
        }
      }
      if (isOver()) return { files, bytes, unsized, isWhole: false }
    }
  }
  return { files, bytes, unsized, isWhole: true }
}
