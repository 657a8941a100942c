// The palette's dialog: runs the chosen item after it has closed.
import { useEffect, useRef, type ReactNode } from 'react'
import { Dialog, Modal, ModalOverlay } from 'react-aria-components'
import { cx } from '../cx.ts'
import type { PaletteItem } from './palette-item.ts'
import styles from './palette.module.css'

type Take = (item: PaletteItem) => void

export interface PaletteDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  /** The palette's box, mounted only while the palette is open. */
  readonly children: ReactNode
}

/** Returns a function that closes the palette and runs an item; `onTake` is called before it runs. */
export function useTake({ isOpen, onClose }: Omit<PaletteDialogProps, 'children'>, onTake: Take): Take {
  const taken = useRef<PaletteItem>(undefined)
  // After closing, so that the command may move the focus.
  useEffect(() => {
    if (isOpen) return
    const item = taken.current
    taken.current = undefined
    item?.run()
  }, [isOpen])
  return item => {
    if (item.disabled !== undefined) return
    onTake(item)
    taken.current = item
    onClose()
  }
}

/** Escape and a click outside close it and restore the focus; Enter runs the selected item. */
export function PaletteDialog({ isOpen, onClose, children }: PaletteDialogProps) {
  return (
    <ModalOverlay
      isOpen={isOpen}
      isDismissable
      onOpenChange={open => {
        if (!open) onClose()
      }}
      className={cx(styles.overlay)}
    >
      <Modal className={cx(styles.modal)}>
        <Dialog aria-label="Command palette" className={cx(styles.dialog)}>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
