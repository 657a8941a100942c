// The dialog that is open over a folder, if any.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { DeleteDialog } from './delete-dialog.tsx'
import { folderOf, joinPath, nameOf } from './listing.ts'
import { MoveDialog, type Moved } from './move-dialog.tsx'
import { NewFolderDialog } from './new-folder-dialog.tsx'
import type { OpenDialog } from './use-file-actions.ts'

export interface FolderDialogsProps {
  readonly bucket: string
  readonly path: string
  readonly names: readonly string[]
  readonly dialog: OpenDialog | undefined
  readonly onChanged: () => void
  readonly onClose: () => void
}

/** Each asks for what it needs, and tells what came of it. */
export function FolderDialogs({ bucket, path, names, dialog, onChanged, onClose }: FolderDialogsProps) {
  const navigate = useNavigate()
  const { file } = useSearch({ strict: false })
  /** The file that is looked at is looked at under its new name, too. */
  const follow = (moved: Moved | undefined) => {
    onChanged()
    if (file === undefined || moved?.from !== joinPath(path, file) || folderOf(moved.to) !== path) return
    const search = { ...(path !== '' && { path }), file: nameOf(moved.to) }
    void navigate({ to: '/files/$bucket', params: { bucket }, search, replace: true })
  }
  if (dialog === undefined) return null
  if (dialog.kind === 'folder')
    return (
      <NewFolderDialog
        bucket={bucket}
        path={path}
        names={names}
        onMade={made => {
          onChanged()
          void navigate({ to: '/files/$bucket', params: { bucket }, search: { path: made } })
        }}
        onClose={onClose}
      />
    )
  const shared = { bucket, targets: dialog.targets, onChanged, onClose }
  return dialog.kind === 'delete' ? (
    <DeleteDialog {...shared} />
  ) : (
    <MoveDialog {...shared} onChanged={follow} mode={dialog.kind} />
  )
}
