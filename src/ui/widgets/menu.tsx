// Action menus and the buttons that open them.
import type { ReactNode } from 'react'
import { Menu, MenuItem, MenuTrigger, Popover, Separator } from 'react-aria-components'
import { Button, IconButton, type ButtonProps, type IconButtonProps } from './button.tsx'
import { cx } from './cx.ts'
import styles from './menu.module.css'

/** An action in a menu. */
export interface MenuAction {
  readonly id: string
  readonly title: string
  readonly icon?: ReactNode
  /** Shown next to the title. */
  readonly text?: string | undefined
  /** Reason why the action is unavailable. */
  readonly disabled?: string | undefined
  readonly run: () => void
}

export interface IconMenuProps extends Pick<IconButtonProps, 'size' | 'noTooltip'> {
  /** Accessible name of the button and the menu. */
  readonly label: string
  readonly icon: ReactNode
  readonly placement?: 'bottom end' | 'top end'
  /** The `ActionMenu`, mounted only while it is open. */
  readonly children: ReactNode
}

/** An icon button that opens a menu. */
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
  /** Text of the button. */
  readonly text: string
  /** The `ActionMenu`, mounted only while it is open. */
  readonly children: ReactNode
}

/** A text button that opens a menu. */
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
  /** Actions below a separator. */
  readonly more?: readonly MenuAction[]
  /** For a menu without a button: it takes the focus and calls this when it closes. */
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
