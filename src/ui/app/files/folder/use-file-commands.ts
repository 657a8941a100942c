// What can be done in a folder, offered to the palette, and the keys that its grid takes.
import { useNavigate } from '@tanstack/react-router'
import { useMemo, type KeyboardEvent } from 'react'
import {
  useAppCommands,
  useAppKeyNotes,
  type AppCommand,
  type AppKeyNote,
} from '../../commands/use-app-commands.ts'
import type { FolderProps } from './crumbs.tsx'
import { folderOf, type FileEntry } from '../listing.ts'
import type { OpenDialog } from './use-file-actions.ts'

const NOTES: readonly AppKeyNote[] = [
  { id: 'files.choose', section: 'Files', keys: ['Space', 'Mod+A'], text: 'Choose an entry, or all' },
  { id: 'files.delete', section: 'Files', keys: ['Delete'], text: 'Delete what is chosen' },
  { id: 'files.rename', section: 'Files', keys: ['F2'], text: 'Rename what is chosen' },
  { id: 'files.up', section: 'Files', keys: ['Backspace'], text: 'To the folder above' },
]

export interface FileCommandsProps extends FolderProps {
  readonly chosen: readonly FileEntry[]
  readonly act: (action: 'rename' | 'move' | 'copy' | 'delete', entries: readonly FileEntry[]) => void
  readonly open: (dialog: OpenDialog) => void
  readonly reload: () => void
  readonly upload: () => void
}

/** Gives what the grid does on keys. */
export function useFileCommands({ bucket, path, chosen, act, open, reload, upload }: FileCommandsProps) {
  const navigate = useNavigate()
  const commands = useMemo((): readonly AppCommand[] => {
    const none = chosen.length === 0 ? { disabled: 'Nothing is chosen.' } : {}
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
      file('reload', 'List the folder anew', reload, { words: 'refresh' }),
      file('move', 'Move what is chosen', () => act('move', chosen), none),
      file('copy', 'Copy what is chosen', () => act('copy', chosen), none),
      file('delete', 'Delete what is chosen', () => act('delete', chosen), none),
    ]
  }, [chosen, act, open, reload, upload])
  useAppCommands(commands)
  useAppKeyNotes(NOTES)
  return (event: KeyboardEvent) => {
    const { target } = event
    // Fields and menus have keys of their own.
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
