// Choice editor: booleans (with null as a third value) and enums.
import { ListBox, ListBoxItem } from 'react-aria-components'
import { cx } from '../../../widgets/cx.ts'
import select from '../../../widgets/select.module.css'
import type { CellEditorProps } from '../grid/grid-types.ts'
import { CellPopover } from './cell-popover.tsx'

const NULL = '·null'
const FOCUSED = { autoFocus: true } as const

/** Choosing commits immediately. */
export function ChoiceEditor({ column, cell, typed, onCommit, onCancel }: CellEditorProps) {
  const values = column.type === 'boolean' ? ['true', 'false'] : (column.options ?? [])
  const begun = typed === undefined ? undefined : values.find(value => value.startsWith(typed.toLowerCase()))
  const chosen = begun ?? cell ?? NULL
  return (
    <CellPopover className={cx(select.popover)} onLeave={onCancel}>
      <ListBox
        {...FOCUSED}
        aria-label={column.name}
        className={cx(select.list)}
        selectionMode="single"
        selectionBehavior="replace"
        escapeKeyBehavior="none"
        defaultSelectedKeys={[chosen]}
        onAction={key => onCommit(key === NULL ? null : String(key), 'stay')}
      >
        {values.map(value => (
          <ListBoxItem key={value} id={value} textValue={value} className={cx(select.item)}>
            {value}
          </ListBoxItem>
        ))}
        {column.required ? null : (
          <ListBoxItem id={NULL} textValue="null" className={cx(select.item)}>
            <em>null</em>
          </ListBoxItem>
        )}
      </ListBox>
    </CellPopover>
  )
}
