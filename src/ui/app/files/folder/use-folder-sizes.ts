// Sizes of the folders in a folder, each counted when the user asks for it.
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { folderSize, type FolderSize, joinPath } from '../../../../services/workbench/files/index.ts'
import { explainCall } from '../../../../services/workbench/rest/index.ts'
import { useData } from '../../database.ts'
import { notify } from '../../shell/notify.ts'

type CountedSize = FolderSize | 'counting'

export interface FolderSizes {
  /** By name; folders that were not counted are missing. */
  readonly sizes: ReadonlyMap<string, CountedSize>
  readonly count: (name: string) => void
}

/** Counts end when the page leaves the folder. */
export function useFolderSizes(bucket: string, path: string): FolderSizes {
  const data = useData()
  const [sizes, setSizes] = useState<FolderSizes['sizes']>(new Map())
  const left = useRef(new AbortController())
  useEffect(() => {
    const controller = new AbortController()
    left.current = controller
    return () => controller.abort()
  }, [bucket, path])
  const count = useCallback(
    (name: string) => {
      const { signal } = left.current
      const set = (size: CountedSize | undefined) =>
        setSizes(before => {
          const next = new Map(before)
          if (size === undefined) next.delete(name)
          else next.set(name, size)
          return next
        })
      set('counting')
      void folderSize(data.storage.from(bucket), joinPath(path, name), signal).then(
        set,
        async (error: unknown) => {
          if (signal.aborted) return
          set(undefined)
          const { message } = await explainCall(error)
          notify({ tone: 'fail', title: `Could not count ${name}`, detail: message })
        },
      )
    },
    [data, bucket, path],
  )
  return useMemo(() => ({ sizes, count }), [sizes, count])
}
