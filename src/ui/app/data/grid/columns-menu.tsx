// The menu that shows and hides columns.
import { Columns3 } from 'lucide-react'
import { Menu, MenuItem, MenuTrigger, Popover, Separator } from 'react-aria-components'
import { Button } from '../../../widgets/button.tsx'
import { cx } from '../../../widgets/cx.ts'
import menu from '../../../widgets/menu.module.css'
import {
  AS_GIVEN,
  type Column,
  type ColumnLayout,
  type LayoutAction,
} from '../../../../services/workbench/table/index.ts'

export interface ColumnsMenuProps {
  readonly columns: readonly Column[]
  readonly layout: ColumnLayout
  /** Whether foreign keys of the table can have labels. */
  readonly hasLabels: boolean
  readonly onLayout: (action: LayoutAction) => void
}

const RESET = '·reset'
const LABELS = '·labels'

/** Shows the number of hidden columns. */
export function ColumnsMenu({ columns, layout, hasLabels, onLayout }: ColumnsMenuProps) {
  const hidden = columns.filter(column => layout.hidden.includes(column.name)).length
  const change = (name: string) => {
    if (name === RESET) return onLayout({ type: 'layout.reset' })
    if (name === LABELS) return onLayout({ type: 'labels.toggled' })
    const isHidden = layout.hidden.includes(name)
    if (isHidden || hidden < columns.length - 1)
      onLayout({ type: isHidden ? 'column.shown' : 'column.hidden', name })
  }
  return (
    <MenuTrigger>
      <Button size="s" icon={<Columns3 size={14} aria-hidden />} isDisabled={columns.length === 0}>
        {hidden === 0 ? 'Columns' : `Columns (${hidden} hidden)`}
      </Button>
      <Popover placement="bottom end" className={cx(menu.menu)}>
        <Menu
          aria-label="Columns"
          selectionMode="multiple"
          selectedKeys={[
            ...columns.map(column => column.name).filter(name => !layout.hidden.includes(name)),
            ...(layout.plainKeys === true ? [] : [LABELS]),
          ]}
          className={cx(menu.items)}
          onAction={id => change(String(id))}
        >
          {columns.map(column => (
            <MenuItem key={column.name} id={column.name} className={cx(menu.item, menu.marked)}>
              {column.name}
            </MenuItem>
          ))}
          <Separator className={cx(menu.line)} />
          {hasLabels ? (
            <MenuItem id={LABELS} className={cx(menu.item, menu.marked)}>
              Labels of foreign keys
            </MenuItem>
          ) : null}
          <MenuItem id={RESET} isDisabled={layout === AS_GIVEN} className={cx(menu.item, menu.marked)}>
            Reset columns
          </MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}
