// Loads the buckets, and a folder's entries page by page.
import { useData } from '../database.ts'
import { useRequest } from '../use-request.ts'
import {
  type Bucket,
  type FileEntry,
  listPage,
  PAGE,
  readBuckets,
  type StoredObject,
  toEntries,
} from '../../../services/workbench/files/index.ts'

/** The buckets visible to the session. */
export const useBuckets = () => {
  const data = useData()
  return useRequest<readonly Bucket[]>({
    name: 'buckets',
    of: [],
    load: async () => {
      const { data: buckets, error } = await data.storage.listBuckets()
      if (error !== null) throw error
      return { ok: true, value: readBuckets(buckets) }
    },
  })
}

export interface Folder {
  readonly entries: readonly FileEntry[]
  /** False while pages are loading, and when more exist than load automatically. */
  readonly isComplete: boolean
}

/** Maximum number of entries per folder that load automatically. */
const UNASKED = 5_000

/** Entries of a folder, at most `most`; the empty path is the bucket's root. */
export const useFolder = (bucket: string, path: string, most = UNASKED) => {
  const data = useData()
  return useRequest<Folder>({
    name: 'files',
    of: [bucket, path, most],
    load: async (signal, show) => {
      const files = data.storage.from(bucket)
      const objects: StoredObject[] = []
      for (;;) {
        const page = await listPage(files, path, objects.length, signal)
        objects.push(...page)
        const isComplete = page.length < PAGE
        const value = { entries: toEntries(objects), isComplete }
        if (isComplete || objects.length >= most) return { ok: true, value }
        show(value)
      }
    },
  })
}

/** Additional entries per click on Load more. */
export const MORE = UNASKED
