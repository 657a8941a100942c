// The palette's dialog: runs the chosen item after it has closed.
import { createContext, use, useEffect, useRef, type ReactNode } from 'react'
import { Dialog, Modal, ModalOverlay } from 'react-aria-components'
import { cx } from '../cx.ts'
import type { PaletteItem } from './palette-item.ts'
import styles from './palette.module.css'

export interface PaletteDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  /** Called with the chosen item before it runs. */
  readonly onTake: (item: PaletteItem) => void
  /** The palette's box, mounted only while the palette is open. */
  readonly children: ReactNode
}

const TakeContext = createContext<(item: PaletteItem) => void>(() => undefined)

/** Returns a function that closes the palette and runs an item. */
export const useTake = (): ((item: PaletteItem) => void) => use(TakeContext)

/** Escape and a click outside close it and restore the focus; Enter runs the selected item. */
export function PaletteDialog({ isOpen, onClose, onTake, children }: PaletteDialogProps) {
  const taken = useRef<PaletteItem>(undefined)
  // After closing, so that the command may move the focus.
  useEffect(() => {
    if (isOpen) return
    const item = taken.current
    taken.current = undefined
    item?.run()
  }, [isOpen])
  const take = (item: PaletteItem) => {
    if (item.disabled !== undefined) return
    onTake(item)
    taken.current = item
    onClose()
  }
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
          <TakeContext value={take}>{children}</TakeContext>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
