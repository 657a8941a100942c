// The menu of a column: order, filter, place and width.
import { ChevronDown } from 'lucide-react'
import { Button, Menu, MenuItem, MenuTrigger, Popover, Separator } from 'react-aria-components'
import { cx } from '../../../widgets/cx.ts'
import menu from '../../../widgets/menu.module.css'
import type { Column } from '../schema.ts'
import type { LaidColumn, LayoutAction } from './columns.ts'
import styles from './head-menu.module.css'

export interface HeadMenuProps {
  readonly column: Column
  readonly columns: readonly LaidColumn[]
  readonly onSort: (direction: 'asc' | 'desc' | undefined, isAdded: boolean) => void
  readonly onFilter: () => void
  readonly onLayout: (action: LayoutAction) => void
}

const WIDER = 48

interface Entry {
  readonly id: string
  readonly text: string
  readonly run: () => void
  readonly isOff?: boolean
}

const orderEntries = ({ onSort, onFilter }: HeadMenuProps): readonly Entry[] => [
  { id: 'asc', text: 'Sort ascending', run: () => onSort('asc', false) },
  { id: 'desc', text: 'Sort descending', run: () => onSort('desc', false) },
  { id: 'then-asc', text: 'Then sort ascending', run: () => onSort('asc', true) },
  { id: 'then-desc', text: 'Then sort descending', run: () => onSort('desc', true) },
  { id: 'unsorted', text: 'Do not sort by it', run: () => onSort(undefined, true) },
  { id: 'filter', text: 'Filter…', run: onFilter },
]

const placeEntries = ({ column: { name }, columns, onLayout }: HeadMenuProps): readonly Entry[] => {
  const at = columns.findIndex(each => each.column.name === name)
  const laid = columns[at]
  const [before, after] = [columns[at - 1], columns[at + 1]]
  const size = (by: number) => onLayout({ type: 'column.sized', name, width: (laid?.width ?? 0) + by })
  const move = (to: LaidColumn | undefined) => {
    if (to !== undefined) onLayout({ type: 'column.moved', name, to: to.column.name })
  }
  return [
    laid?.isPinned === true
      ? { id: 'pin', text: 'Unpin', run: () => onLayout({ type: 'column.unpinned', name }) }
      : { id: 'pin', text: 'Pin to the left', run: () => onLayout({ type: 'column.pinned', name }) },
    { id: 'left', text: 'Move left', run: () => move(before), isOff: before?.isPinned !== laid?.isPinned },
    {
      id: 'right',
      text: 'Move right',
      run: () => {
        if (after !== undefined) onLayout({ type: 'column.moved', name: after.column.name, to: name })
      },
      isOff: after === undefined || after.isPinned !== laid?.isPinned,
    },
    { id: 'wider', text: 'Wider', run: () => size(WIDER) },
    { id: 'narrower', text: 'Narrower', run: () => size(-WIDER) },
    {
      id: 'hide',
      text: 'Hide',
      run: () => onLayout({ type: 'column.hidden', name }),
      isOff: columns.length === 1,
    },
  ]
}

/** Not a tab stop of its own: Alt and the down arrow open it from the head. */
export function HeadMenu(props: HeadMenuProps) {
  const { name } = props.column
  const [order, place] = [orderEntries(props), placeEntries(props)]
  const item = ({ id, text, isOff = false }: Entry) => (
    <MenuItem key={id} id={id} isDisabled={isOff} className={cx(menu.item)}>
      {text}
    </MenuItem>
  )
  return (
    <span className={styles.holder}>
      <MenuTrigger>
        <Button excludeFromTabOrder aria-label={`Menu of ${name}`} className={cx(styles.button)}>
          <ChevronDown size={13} aria-hidden />
        </Button>
        <Popover placement="bottom end" className={cx(menu.menu)}>
          <Menu
            aria-label={`Column ${name}`}
            className={cx(menu.items)}
            onAction={id => [...order, ...place].find(each => each.id === id)?.run()}
          >
            {order.map(item)}
            <Separator className={cx(menu.line)} />
            {place.map(item)}
          </Menu>
        </Popover>
      </MenuTrigger>
    </span>
  )
}
