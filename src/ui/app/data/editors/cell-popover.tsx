// A popover positioned over the edited cell.
import { useRef, type ReactNode } from 'react'
import { Popover } from 'react-aria-components'
import { cx } from '../../../widgets/cx.ts'
import popover from '../../../widgets/popover.module.css'
import styles from './editors.module.css'

export interface CellPopoverProps {
  readonly className: string
  /** Called on a click outside or a closing key. */
  readonly onLeave: () => void
  readonly children: ReactNode
}

export function CellPopover({ className, onLeave, children }: CellPopoverProps) {
  const anchor = useRef<HTMLSpanElement>(null)
  return (
    <>
      <span ref={anchor} data-editor="" className={styles.anchor} />
      <Popover
        triggerRef={anchor}
        isOpen
        placement="bottom start"
        offset={0}
        crossOffset={-1}
        className={cx(popover.popover, className)}
        onOpenChange={isOpen => {
          if (!isOpen) onLeave()
        }}
      >
        {children}
      </Popover>
    </>
  )
}
