// Loads the buckets, and a folder's entries page by page.
import { usePageRequest } from '../use-page-request.ts'
import {
  type Bucket,
  type FileEntry,
  listFolder,
  readBuckets,
  type StoredObject,
  toEntries,
} from '../../../services/workbench/files/index.ts'

/** The buckets visible to the session. */
export const useBuckets = () =>
  usePageRequest(['buckets'], async ({ storage }): Promise<readonly Bucket[]> => {
    const { data, error } = await storage.listBuckets()
    if (error !== null) throw error
    return readBuckets(data)
  })

export interface Folder {
  readonly entries: readonly FileEntry[]
  /** False while pages are loading, and when more exist than load automatically. */
  readonly isComplete: boolean
}

/** Maximum number of entries per folder that load automatically. */
const UNASKED = 5_000

/** Entries of a folder, at most `most`; the empty path is the bucket's root. */
export const useFolder = (bucket: string, path: string, most = UNASKED) =>
  usePageRequest(
    ['files', bucket, path, most],
    async function* ({ storage }, signal): AsyncGenerator<Folder> {
      const files = storage.from(bucket)
      const objects: StoredObject[] = []
      for await (const page of listFolder(files, path, signal)) {
        // There is at least one entry more.
        if (objects.length >= most) return
        objects.push(...page)
        yield { entries: toEntries(objects), isComplete: false }
      }
      yield { entries: toEntries(objects), isComplete: true }
    },
  )

/** Additional entries per click on Load more. */
export const MORE = UNASKED
