// The palette's dialog: what is taken in it is done once it is gone.
import { createContext, use, useEffect, useRef, type ReactNode } from 'react'
import { Dialog, Modal, ModalOverlay } from 'react-aria-components'
import { cx } from '../cx.ts'
import type { PaletteItem } from './palette-item.ts'
import styles from './palette.module.css'

export interface PaletteDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  /** Told what was taken, before it is done. */
  readonly onTake: (item: PaletteItem) => void
  /** The palette's box, which is there only while it is open. */
  readonly children: ReactNode
}

const TakeContext = createContext<(item: PaletteItem) => void>(() => undefined)

/** Takes a line of the palette around: closes it and does what the line is for. */
export const useTake = (): ((item: PaletteItem) => void) => use(TakeContext)

/** Escape and a click beside it close it and give the focus back; Enter does what is chosen. */
export function PaletteDialog({ isOpen, onClose, onTake, children }: PaletteDialogProps) {
  const taken = useRef<PaletteItem>(undefined)
  // Once it is gone, so that what is done may take the focus.
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
        <Dialog aria-label="Search or run" className={cx(styles.dialog)}>
          <TakeContext value={take}>{children}</TakeContext>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
