// What can be done with one entry of a folder: at hand where there is room, and in a menu.
import { Download, Ellipsis, Trash2 } from 'lucide-react'
import { Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { IconButton } from '../../widgets/button.tsx'
import { cx } from '../../widgets/cx.ts'
import menu from '../../widgets/menu.module.css'
import styles from './list.module.css'
import type { FileEntry } from './listing.ts'

/** What can be done with one entry. */
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

/** Folders are not downloaded; where there is hardly room, all is in the menu. */
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
      <MenuTrigger>
        <IconButton size="s" noTooltip label={`More for ${name}`}>
          <Ellipsis size={14} />
        </IconButton>
        <Popover placement="bottom end" className={cx(menu.menu)}>
          <Menu
            aria-label={`More for ${name}`}
            className={cx(menu.items)}
            onAction={key => {
              const action = MORE.find(([id]) => id === key)?.[0]
              if (action) onAction(action, entry)
            }}
          >
            {offered.map(([id, title]) => (
              <MenuItem key={id} id={id} className={cx(menu.item)}>
                {title}
              </MenuItem>
            ))}
          </Menu>
        </Popover>
      </MenuTrigger>
    </span>
  )
}
