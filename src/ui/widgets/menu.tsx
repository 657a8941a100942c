// Menus of actions, and the buttons that open them.
import type { ReactNode } from 'react'
import { Menu, MenuItem, MenuTrigger, Popover, Separator } from 'react-aria-components'
import { Button, IconButton, type ButtonProps, type IconButtonProps } from './button.tsx'
import { cx } from './cx.ts'
import styles from './menu.module.css'

/** An action of a menu. */
export interface MenuAction {
  readonly id: string
  readonly title: string
  readonly icon?: ReactNode
  /** Stands beside the title. */
  readonly text?: string | undefined
  /** Why it can't be done now. */
  readonly disabled?: string | undefined
  readonly run: () => void
}

export interface IconMenuProps extends Pick<IconButtonProps, 'size' | 'noTooltip'> {
  /** Of the button and of the menu. */
  readonly label: string
  readonly icon: ReactNode
  readonly placement?: 'bottom end' | 'top end'
  /** What the menu holds: `ActionMenu`, which is only there while it is open. */
  readonly children: ReactNode
}

/** A button with an icon that opens a menu. */
export function IconMenu(props: IconMenuProps) {
  const { label, icon, placement = 'bottom end', size = 's', noTooltip = false, children } = props
  return (
    <MenuTrigger>
      <IconButton size={size} label={label} noTooltip={noTooltip}>
        {icon}
      </IconButton>
      <Popover placement={placement} className={cx(styles.menu)}>
        {children}
      </Popover>
    </MenuTrigger>
  )
}

export interface MenuButtonProps extends Pick<ButtonProps, 'size' | 'icon' | 'isDisabled'> {
  /** What the button says. */
  readonly text: string
  /** What the menu holds: `ActionMenu`, which is only there while it is open. */
  readonly children: ReactNode
}

/** A button with a text that opens a menu. */
export function MenuButton({ text, size = 's', children, ...button }: MenuButtonProps) {
  return (
    <MenuTrigger>
      <Button {...button} size={size}>
        {text}
      </Button>
      <Popover placement="bottom end" className={cx(styles.menu)}>
        {children}
      </Popover>
    </MenuTrigger>
  )
}

export interface ActionMenuProps {
  readonly label: string
  readonly actions: readonly MenuAction[]
  /** Below a line. */
  readonly more?: readonly MenuAction[]
  /** Of a menu that no button opened: it takes the focus, and tells when it is done. */
  readonly onClose?: () => void
}

export function ActionMenu({ label, actions, more, onClose }: ActionMenuProps) {
  const all = [...actions, ...(more ?? [])]
  return (
    <Menu
      aria-label={label}
      className={cx(styles.items)}
      {...(onClose === undefined ? {} : { onClose, autoFocus: 'first' as const })}
      disabledKeys={all.flatMap(({ id, disabled }) => (disabled === undefined ? [] : [id]))}
      onAction={key => all.find(({ id }) => id === key)?.run()}
    >
      {actions.map(item)}
      {more === undefined ? null : <Separator className={cx(styles.line)} />}
      {more?.map(item)}
    </Menu>
  )
}

const item = ({ id, title, icon, text, disabled }: MenuAction) => {
  const beside = disabled ?? text
  return (
    <MenuItem key={id} id={id} textValue={title} className={cx(styles.item)}>
      {icon}
      {title} {beside === undefined ? null : <span className={styles.text}>{beside}</span>}
    </MenuItem>
  )
}
