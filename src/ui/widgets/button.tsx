// Buttons with text, and icon-only buttons with a tooltip.
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components'
import styles from './button.module.css'
import { cx } from './cx.ts'
import { Spinner } from './spinner.tsx'
import { TooltipButton } from './tooltip.tsx'

export interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'children' | 'style'> {
  readonly variant?: 'plain' | 'primary' | 'quiet' | 'danger'
  readonly size?: 'm' | 's'
  readonly icon?: ReactNode
  readonly children: ReactNode
}

/** A text button; while `isPending` it shows a spinner and keeps the focus. */
export function Button({ variant = 'plain', size = 'm', icon, children, ...props }: ButtonProps) {
  return (
    <AriaButton {...props} className={cx(styles.button, styles[variant], styles[size])}>
      {props.isPending === true ? <Spinner /> : icon}
      <span className={styles.label}>{children}</span>
    </AriaButton>
  )
}

export interface IconButtonProps extends Omit<
  AriaButtonProps,
  'className' | 'children' | 'style' | 'aria-label'
> {
  /** Accessible name and tooltip. */
  readonly label: string
  /** Shown in the tooltip, e.g. `Ctrl+\``. */
  readonly shortcut?: string
  readonly size?: 'm' | 's'
  /** Drawn as pressed: the toggled element is on. */
  readonly isOn?: boolean
  /** Shows the label next to the icon in wide windows. */
  readonly isNamed?: boolean
  /** Shown next to the icon in wide windows; a part of the label. */
  readonly text?: string
  /** For long lists, where one tooltip per row would be too expensive. */
  readonly noTooltip?: boolean
  readonly children: ReactNode
}

/** An icon-only button. */
export function IconButton(all: IconButtonProps) {
  const { label, shortcut, size = 'm', isOn, isNamed = false, noTooltip = false, ...rest } = all
  const { text = isNamed ? label : undefined, children, ...props } = rest
  const shared = {
    ...props,
    ...(isOn === undefined ? {} : { 'aria-pressed': isOn }),
    'aria-label': label,
    className: cx(styles.button, styles.icon, styles[size], isOn === true && styles.on),
    children: (
      <>
        {children}
        {text === undefined ? null : <span className={styles.words}>{text}</span>}
      </>
    ),
  }
  if (noTooltip) return <AriaButton {...shared} />
  return <TooltipButton {...shared} tooltip={{ text: label, shortcut }} />
}

export interface ToolButtonProps extends Omit<IconButtonProps, 'size' | 'children'> {
  readonly icon: LucideIcon
  readonly iconSize?: number
}

/** A small icon-only button, as in toolbars and rows. */
export function ToolButton({ icon: Icon, iconSize = 13, ...props }: ToolButtonProps) {
  return (
    <IconButton {...props} size="s">
      <Icon size={iconSize} aria-hidden />
    </IconButton>
  )
}
