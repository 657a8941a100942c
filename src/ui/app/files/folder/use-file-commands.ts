// Folder commands for the palette, and the keys of its grid.
import { useNavigate } from '@tanstack/react-router'
import { useMemo, type KeyboardEvent } from 'react'
import { useAppCommands, useAppKeyNotes } from '../../commands/use-app-commands.ts'
import type { AppCommand, AppKeyNote } from '../../commands/app-command.ts'
import type { FolderProps } from './crumbs.tsx'
import { type FileEntry, folderOf } from '../../../../services/workbench/files/index.ts'
import type { OpenDialog } from './use-file-actions.ts'

const NOTES: readonly AppKeyNote[] = [
  { id: 'files.choose', section: 'Files', keys: ['Space', 'Mod+A'], text: 'Select an entry, or all' },
  { id: 'files.delete', section: 'Files', keys: ['Delete'], text: 'Delete selected entries' },
  { id: 'files.rename', section: 'Files', keys: ['F2'], text: 'Rename selected entry' },
  { id: 'files.up', section: 'Files', keys: ['Backspace'], text: 'Parent folder' },
]

export interface FileCommandsProps extends FolderProps {
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
