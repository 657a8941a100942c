// Tooltip of a focusable element: its name and its shortcut.
import type { ReactElement } from 'react'
import { Tooltip as AriaTooltip, TooltipTrigger } from 'react-aria-components'
import { cx } from './cx.ts'
import { Kbd } from './kbd.tsx'
import styles from './tooltip.module.css'

export interface TooltipProps {
  readonly text: string
  readonly shortcut?: string
  readonly children: ReactElement
}

/** Shows `text` on hover and on keyboard focus of its child (a react-aria element). */
export function Tooltip({ text, shortcut, children }: TooltipProps) {
  return (
    <TooltipTrigger delay={500} closeDelay={80}>
      {children}
      <AriaTooltip offset={6} className={cx(styles.tooltip)}>
        {text}
        {shortcut === undefined ? null : <Kbd>{shortcut}</Kbd>}
      </AriaTooltip>
    </TooltipTrigger>
  )
}
