// Parts around a folder's entries: tools, the selection bar, and the empty state.
import { FolderInput, FolderOpen, FolderPlus, FolderUp, Trash2, Upload as UploadIcon } from 'lucide-react'
import { FileTrigger } from 'react-aria-components'
import { Button, IconButton } from '../../../widgets/button.tsx'
import { EmptyState } from '../../../widgets/state.tsx'
import { CopyAsMenu } from '../../requests/copy-as-menu.tsx'
import { MyFolder, useOwnFolder, type FolderProps } from './crumbs.tsx'
import { pickedFiles, type Picked } from '../uploads/dropped.ts'
import styles from '../files.module.css'
import { type FileEntry, listSpec } from '../../../../services/workbench/files/index.ts'
import { plural } from '../../../../services/workbench/text/index.ts'

/** The folder is empty, or its files are not visible to the user. */
export function EmptyFolder({ bucket, path }: FolderProps) {
  const isElsewhere = useOwnFolder(path) !== undefined
  return (
    <EmptyState icon={<FolderOpen size={22} aria-hidden />} title="No files visible to you">
      Drop files here or select Upload.{' '}
      {isElsewhere ? (
        <>
          Most buckets let you write to your own folder: <MyFolder bucket={bucket} path={path} />
        </>
      ) : null}
    </EmptyState>
  )
}

/** Actions for the selected entries. */
export function ChosenBar(props: {
  readonly chosen: readonly FileEntry[]
  readonly onAct: (action: 'move' | 'copy' | 'delete' | 'download', entries: readonly FileEntry[]) => void
  readonly onClear: () => void
}) {
  const { chosen, onAct, onClear } = props
  if (chosen.length === 0) return null
  const isFilesOnly = chosen.every(entry => !entry.isFolder)
  return (
    <div className={styles.chosen} role="toolbar" aria-label="Selected entries">
      <output>{plural(chosen.length, 'entry', 'entries')} selected</output>
      {isFilesOnly ? (
        <Button size="s" onPress={() => onAct('download', chosen)}>
          Download
        </Button>
      ) : null}
      <Button size="s" icon={<FolderInput size={14} aria-hidden />} onPress={() => onAct('move', chosen)}>
        Move
      </Button>
      <Button size="s" onPress={() => onAct('copy', chosen)}>
        Copy
      </Button>
      <Button
        size="s"
        variant="danger"
        icon={<Trash2 size={14} aria-hidden />}
        onPress={() => onAct('delete', chosen)}
      >
        Delete
      </Button>
      <Button size="s" variant="quiet" onPress={onClear}>
        Clear
      </Button>
    </div>
  )
}

interface ToolsProps extends FolderProps {
  readonly onFiles: (files: readonly Picked[]) => void
  readonly onNewFolder: () => void
}

/** Actions for the folder. */
export function Tools({ bucket, path, onFiles, onNewFolder }: ToolsProps) {
  const pick = (files: FileList | null) => onFiles(pickedFiles(files))
  return (
    <>
      <MyFolder bucket={bucket} path={path} />
      <span className={styles.wideOnly}>
        <CopyAsMenu size="m" spec={() => listSpec(bucket, path)} />
      </span>
      <IconButton label="New folder" onPress={onNewFolder}>
        <FolderPlus size={16} />
      </IconButton>
      <FileTrigger acceptDirectory onSelect={pick}>
        <IconButton label="Upload a folder">
          <FolderUp size={16} />
        </IconButton>
      </FileTrigger>
      <FileTrigger allowsMultiple onSelect={pick}>
        <Button variant="primary" icon={<UploadIcon size={15} aria-hidden />}>
          Upload
        </Button>
      </FileTrigger>
    </>
  )
}
