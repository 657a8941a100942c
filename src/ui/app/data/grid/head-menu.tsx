// The column menu: sort, filter, position and width.
import { ChevronDown } from 'lucide-react'
import { Button, MenuTrigger, Popover } from 'react-aria-components'
import { cx } from '../../../widgets/cx.ts'
import menu from '../../../widgets/menu.module.css'
import square from '../../../widgets/square.module.css'
import { ActionMenu, type MenuAction } from '../../../widgets/menu.tsx'
import type { Column, LaidColumn, LayoutAction } from '../../../../services/workbench/table/index.ts'
import styles from './grid.module.css'

export interface HeadMenuProps {
  readonly column: Column
  readonly columns: readonly LaidColumn[]
  readonly onSort: (direction: 'asc' | 'desc' | undefined, isAdded: boolean) => void
  readonly onFilter: () => void
  readonly onLayout: (action: LayoutAction) => void
}

const WIDER = 48

const orderActions = ({ onSort, onFilter }: HeadMenuProps): readonly MenuAction[] => [
  { id: 'asc', title: 'Sort ascending', run: () => onSort('asc', false) },
  { id: 'desc', title: 'Sort descending', run: () => onSort('desc', false) },
  { id: 'then-asc', title: 'Add to sort (ascending)', run: () => onSort('asc', true) },
  { id: 'then-desc', title: 'Add to sort (descending)', run: () => onSort('desc', true) },
  { id: 'unsorted', title: 'Remove from sort', run: () => onSort(undefined, true) },
  { id: 'filter', title: 'Filter…', run: onFilter },
]

const placeActions = ({ column: { name }, columns, onLayout }: HeadMenuProps): readonly MenuAction[] => {
  const at = columns.findIndex(each => each.column.name === name)
  const laid = columns[at]
  const [before, after] = [columns[at - 1], columns[at + 1]]
  const size = (by: number) => onLayout({ type: 'column.sized', name, width: (laid?.width ?? 0) + by })
  const move = (to: LaidColumn | undefined) => {
    if (to !== undefined) onLayout({ type: 'column.moved', name, to: to.column.name })
  }
  return [
    laid?.isPinned === true
      ? { id: 'pin', title: 'Unpin', run: () => onLayout({ type: 'column.unpinned', name }) }
      : { id: 'pin', title: 'Pin to the left', run: () => onLayout({ type: 'column.pinned', name }) },
    {
      id: 'left',
      title: 'Move left',
      run: () => move(before),
      disabled: before?.isPinned === laid?.isPinned ? undefined : 'already first',
    },
    {
      id: 'right',
      title: 'Move right',
      run: () => {
        if (after !== undefined) onLayout({ type: 'column.moved', name: after.column.name, to: name })
      },
      disabled: after !== undefined && after.isPinned === laid?.isPinned ? undefined : 'already last',
    },
    { id: 'wider', title: 'Wider', run: () => size(WIDER) },
    { id: 'narrower', title: 'Narrower', run: () => size(-WIDER) },
    {
      id: 'hide',
      title: 'Hide',
      run: () => onLayout({ type: 'column.hidden', name }),
      disabled: columns.length === 1 ? 'the only visible column' : undefined,
    },
  ]
}

/** Not a tab stop: Alt+ArrowDown opens it from the header. */
export function HeadMenu(props: HeadMenuProps) {
  const { name } = props.column
  return (
    <span className={styles.menuHolder}>
      <MenuTrigger>
        <Button excludeFromTabOrder aria-label={`${name} column menu`} className={cx(square.square)}>
          <ChevronDown size={13} aria-hidden />
        </Button>
        <Popover placement="bottom end" className={cx(menu.menu)}>
          <Actions {...props} />
        </Popover>
      </MenuTrigger>
    </span>
  )
}

/** Rendered only while the menu is open: a wide table has many headers. */
function Actions(props: HeadMenuProps) {
  return (
    <ActionMenu
      label={`Column ${props.column.name}`}
      actions={orderActions(props)}
      more={placeActions(props)}
    />
  )
}
