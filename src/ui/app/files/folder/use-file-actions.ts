// File actions that run immediately, the dialog open for the others, and their commands and keys.
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useState, useMemo, type KeyboardEvent } from 'react'
import { saveAs } from '../../../widgets/save-as.ts'
import { useData } from '../../database.ts'
import { explainCall } from '../../../../services/workbench/rest/index.ts'
import { notify } from '../../shell/notify.ts'
import type { FileAction } from './row-actions.tsx'
import { addressed, type FileEntry, joinPath, folderOf } from '../../../../services/workbench/files/index.ts'
import type { Target } from '../jobs/use-job.ts'
import { useAppCommands, useAppKeyNotes } from '../../commands/use-app-commands.ts'
import type { AppCommand, AppKeyNote } from '../../commands/app-command.ts'
import type { FolderProps } from './crumbs.tsx'

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

const NOTES: readonly AppKeyNote[] = [
  { id: 'files.choose', section: 'Files', keys: ['Space', 'Mod+A'], text: 'Select an entry, or all' },
  { id: 'files.delete', section: 'Files', keys: ['Delete'], text: 'Delete selected entries' },
  { id: 'files.rename', section: 'Files', keys: ['F2'], text: 'Rename selected entry' },
  { id: 'files.up', section: 'Files', keys: ['Backspace'], text: 'Parent folder' },
]

interface FileCommandsProps extends FolderProps {
  readonly chosen: readonly FileEntry[]
  readonly act: (action: 'rename' | 'move' | 'copy' | 'delete', entries: readonly FileEntry[]) => void
  readonly open: (dialog: OpenDialog) => void
  readonly reload: () => void
  readonly upload: () => void
}

/** Returns the grid's key handler. */
export function useFileCommands({ bucket, path, chosen, act, open, reload, upload }: FileCommandsProps) {
  const navigate = useNavigate()
  const commands = useMemo((): readonly AppCommand[] => {
    const none = chosen.length === 0 ? { disabled: 'Nothing is selected.' } : {}
    const file = (
      id: string,
      title: string,
      run: () => void,
      more: Partial<AppCommand> = {},
    ): AppCommand => ({
      id: `files.${id}`,
      title,
      section: 'Files',
      run,
      ...more,
    })
    return [
      file('upload', 'Upload files', upload, { words: 'send add' }),
      file('folder', 'New folder', () => open({ kind: 'folder' })),
      file('reload', 'Refresh folder', reload, { words: 'refresh' }),
      file('move', 'Move selected entries', () => act('move', chosen), none),
      file('copy', 'Copy selected entries', () => act('copy', chosen), none),
      file('delete', 'Delete selected entries', () => act('delete', chosen), none),
    ]
  }, [chosen, act, open, reload, upload])
  useAppCommands(commands)
  useAppKeyNotes(NOTES)
  return (event: KeyboardEvent) => {
    const { target } = event
    // Fields and menus have their own keys.
    if (
      !(target instanceof HTMLElement) ||
      target.closest('input:not([type=checkbox]), textarea, [role=menu]')
    )
      return
    const [only] = chosen
    if (event.key === 'Delete' && chosen.length > 0) act('delete', chosen)
    else if (event.key === 'F2' && chosen.length === 1 && only) act('rename', [only])
    else if (event.key === 'Backspace' && path !== '')
      void navigate({ to: '/files/$bucket', params: { bucket }, search: { path: folderOf(path) } })
    else return
    event.preventDefault()
  }
}
