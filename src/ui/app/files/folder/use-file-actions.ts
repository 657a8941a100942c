// File actions that run immediately, and the dialog open for the others.
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { saveAs } from '../../../widgets/save-as.ts'
import { useData } from '../../database.ts'
import { explainCall } from '../../../../services/workbench/rest/index.ts'
import { notify } from '../../shell/notify.ts'
import type { FileAction } from './row-actions.tsx'
import { addressed, type FileEntry, joinPath } from '../../../../services/workbench/files/index.ts'
import type { Target } from '../jobs/use-job.ts'

export type OpenDialog =
  | { readonly kind: 'folder' }
  | { readonly kind: 'rename' | 'move' | 'copy' | 'delete'; readonly targets: readonly Target[] }

const asFailed = (error: unknown) => ({ data: null, error })

/** Reports its own failures to the user. */
function useDownload(bucket: string, path: string) {
  const data = useData()
  return useCallback(
    async (name: string) => {
      const files = data.storage.from(bucket)
      const { data: blob, error } = await files.download(addressed(joinPath(path, name))).catch(asFailed)
      if (blob !== null) return saveAs(blob, name)
      const { message } = await explainCall(error)
      notify({ tone: 'fail', title: `Could not download ${name}`, detail: message })
    },
    [data, bucket, path],
  )
}

/** The open dialog, and the actions of this folder. */
export const useFileActions = (bucket: string, path: string) => {
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<OpenDialog>()
  const download = useDownload(bucket, path)
  const targetOf = useCallback(
    (entry: FileEntry): Target => ({
      path: joinPath(path, entry.name),
      isFolder: entry.isFolder,
      size: entry.size,
    }),
    [path],
  )
  const act = useCallback(
    (action: Exclude<FileAction, 'open'>, entries: readonly FileEntry[]) => {
      if (action !== 'download') return setDialog({ kind: action, targets: entries.map(targetOf) })
      for (const { name, isFolder } of entries) if (!isFolder) void download(name)
    },
    [download, targetOf],
  )
  const onAction = useCallback(
    (action: FileAction, entry: FileEntry) => {
      if (action !== 'open') return act(action, [entry])
      const here = { to: '/files/$bucket', params: { bucket } } as const
      void (entry.isFolder
        ? navigate({ ...here, search: { path: joinPath(path, entry.name) } })
        : navigate({ ...here, search: { ...(path !== '' && { path }), file: entry.name }, replace: true }))
    },
    [act, navigate, bucket, path],
  )
  return { dialog, setDialog, act, onAction }
}
