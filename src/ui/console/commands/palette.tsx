// The palette: everything that can be done or gone to, found by typing.
import { memo, useEffect, useRef } from 'react'
import { Dialog, Modal, ModalOverlay } from 'react-aria-components'
import { cx } from '../../widgets/cx.ts'
import { PaletteBox } from './palette-box.tsx'
import type { PaletteItem } from './palette-items.ts'
import styles from './palette.module.css'
import { keepUsed, type PaletteOptions } from './use-palette.ts'

export interface PaletteProps extends PaletteOptions {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Escape and a click beside it close it and give the focus back; Enter does what is chosen. */
export const Palette = memo(function Palette({ isOpen, onClose, ...options }: PaletteProps) {
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
    keepUsed(item)
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
          <PaletteBox {...options} onTake={take} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
})
