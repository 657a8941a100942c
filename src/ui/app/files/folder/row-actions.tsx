// Actions for one entry of a folder: buttons if there is room, and a menu.
import { Download, Ellipsis, Trash2 } from 'lucide-react'
import { IconButton } from '../../../widgets/button.tsx'
import { ActionMenu, IconMenu } from '../../../widgets/menu.tsx'
import styles from './list.module.css'
import type { FileEntry } from '../../../../services/workbench/files/index.ts'

/** Actions for one entry. */
export type FileAction = 'open' | 'download' | 'rename' | 'move' | 'copy' | 'delete'

const MORE: readonly (readonly [FileAction, string])[] = [
  ['download', 'Download'],
  ['rename', 'Rename…'],
  ['move', 'Move…'],
  ['copy', 'Copy…'],
  ['delete', 'Delete…'],
]

export interface RowActionsProps {
  readonly entry: FileEntry
  readonly isTiny: boolean
  readonly onAction: (action: FileAction, entry: FileEntry) => void
}

/** Folders cannot be downloaded; on small screens all actions are in the menu. */
export function RowActions({ entry, isTiny, onAction }: RowActionsProps) {
  const { name, isFolder } = entry
  const offered = MORE.filter(([id]) => !(isFolder && id === 'download'))
  return (
    <span className={styles.rowActions}>
      {isFolder || isTiny ? null : (
        <IconButton size="s" noTooltip label={`Download ${name}`} onPress={() => onAction('download', entry)}>
          <Download size={14} />
        </IconButton>
      )}
      {isTiny ? null : (
        <IconButton size="s" noTooltip label={`Delete ${name}`} onPress={() => onAction('delete', entry)}>
          <Trash2 size={14} />
        </IconButton>
      )}
      <IconMenu label={`More for ${name}`} icon={<Ellipsis size={14} />} noTooltip>
        <ActionMenu
          label={`More for ${name}`}
          actions={offered.map(([id, title]) => ({ id, title, run: () => onAction(id, entry) }))}
        />
      </IconMenu>
    </span>
  )
}
