// The context menu of a value, with the same actions as its strip.
import { Menu, MenuItem, Popover } from 'react-aria-components'
import { cx } from '../../widgets/cx.ts'
import styles from '../../widgets/menu.module.css'
import type { ValueAction } from './value-actions.tsx'

export interface ValueMenuProps {
  readonly at: Element | undefined
  readonly actions: readonly ValueAction[]
  readonly onClose: () => void
}

export function ValueMenu({ at, actions, onClose }: ValueMenuProps) {
  return (
    <Popover
      triggerRef={{ current: at ?? null }}
      isOpen={at !== undefined}
      onOpenChange={isOpen => isOpen || onClose()}
      placement="bottom start"
      className={cx(styles.menu)}
    >
      <Menu
        aria-label="Value"
        className={cx(styles.items)}
        onAction={key => {
          actions.find(({ id }) => id === key)?.run()
          onClose()
        }}
      >
        {actions.map(({ id, title, icon }) => (
          <MenuItem key={id} id={id} textValue={title} className={cx(styles.item)}>
            {icon}
            {title}
          </MenuItem>
        ))}
      </Menu>
    </Popover>
  )
}
