// The dialog open over a folder, if any.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { DeleteDialog } from '../jobs/delete-dialog.tsx'
import { folderOf, joinPath, nameOf } from '../../../../services/workbench/files/index.ts'
import { MoveDialog, type Moved } from '../jobs/move-dialog.tsx'
import { NewFolderDialog } from './new-folder-dialog.tsx'
import type { Target } from '../jobs/use-job.ts'
import type { OpenDialog } from './use-file-actions.ts'

export interface FolderDialogsProps {
  readonly bucket: string
  readonly path: string
  readonly names: readonly string[]
  readonly dialog: OpenDialog | undefined
  readonly onChanged: () => void
  readonly onClose: () => void
}

/** Each dialog asks for its input and reports its result. */
export function FolderDialogs({ bucket, path, names, dialog, onChanged, onClose }: FolderDialogsProps) {
  const navigate = useNavigate()
  const { file } = useSearch({ strict: false })
  const looked = file === undefined ? undefined : joinPath(path, file)
  const look = (name: string | undefined) => {
    const search = { ...(path !== '' && { path }), ...(name !== undefined && { file: name }) }
    void navigate({ to: '/files/$bucket', params: { bucket }, search, replace: true })
  }
  /** The open file stays open under its new name, and closes when it leaves the folder. */
  const follow = (gone: readonly Target[], moved?: Moved) => {
    onChanged()
    if (!gone.some(target => target.path === looked)) return
    look(moved && folderOf(moved.to) === path ? nameOf(moved.to) : undefined)
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
  const shared = { bucket, targets: dialog.targets, onClose }
  return dialog.kind === 'delete' ? (
    <DeleteDialog {...shared} onChanged={() => follow(dialog.targets)} />
  ) : (
    <MoveDialog
      {...shared}
      onChanged={moved => follow(dialog.kind === 'copy' ? [] : dialog.targets, moved)}
      mode={dialog.kind}
    />
  )
}
