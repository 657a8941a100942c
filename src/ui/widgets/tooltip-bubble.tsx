// The open tooltip. Loaded with the first tooltip, since placing one takes more code than a button.
import { Tooltip, TooltipTriggerStateContext } from 'react-aria-components'
import { cx } from './cx.ts'
import { Kbd } from './kbd.tsx'
import styles from './tooltip.module.css'
import type { TooltipBubbleProps } from './tooltip.tsx'

export function TooltipBubble({ text, shortcut, id, state, triggerRef }: TooltipBubbleProps) {
  return (
    <TooltipTriggerStateContext value={state}>
      <Tooltip
        {...(id !== undefined && { id })}
        triggerRef={triggerRef}
        offset={6}
        className={cx(styles.tooltip)}
      >
        {text}
        {shortcut === undefined ? null : <Kbd>{shortcut}</Kbd>}
      </Tooltip>
    </TooltipTriggerStateContext>
  )
}
