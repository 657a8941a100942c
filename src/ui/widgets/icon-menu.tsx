// A button with an icon that opens a menu of actions.
import type { ReactNode } from 'react'
import { Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { IconButton } from './button.tsx'
import { cx } from './cx.ts'
import styles from './menu.module.css'

/** An action of a menu. */
export interface MenuAction {
  readonly id: string
  readonly title: string
  /** Stands beside the title. */
  readonly text?: string | undefined
  /** Why it can't be done now. */
  readonly disabled?: string | undefined
  readonly run: () => void
}

export interface IconMenuProps {
  /** Of the button and of the menu. */
  readonly label: string
  readonly icon: ReactNode
  readonly placement?: 'bottom end' | 'top end'
  /** What the menu holds: `ActionMenu`, which is only there while it is open. */
  readonly children: ReactNode
}

export function IconMenu({ label, icon, placement = 'bottom end', children }: IconMenuProps) {
  return (
    <MenuTrigger>
      <IconButton size="s" label={label}>
        {icon}
      </IconButton>
      <Popover placement={placement} className={cx(styles.menu)}>
        {children}
      </Popover>
    </MenuTrigger>
  )
}

export interface ActionMenuProps {
  readonly label: string
  readonly actions: readonly MenuAction[]
}

export function ActionMenu({ label, actions }: ActionMenuProps) {
  return (
    <Menu
      aria-label={label}
      className={cx(styles.items)}
      disabledKeys={actions.flatMap(({ id, disabled }) => (disabled === undefined ? [] : [id]))}
      onAction={key => actions.find(({ id }) => id === key)?.run()}
    >
      {actions.map(({ id, title, text, disabled }) => {
        const more = disabled ?? text
        return (
          <MenuItem key={id} id={id} textValue={title} className={cx(styles.item)}>
            {title}
            {more === undefined ? null : <span className={styles.text}>{more}</span>}
          </MenuItem>
        )
      })}
    </Menu>
  )
}
