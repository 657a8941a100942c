// A modal dialog with a title, a body and its actions.
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { IconButton } from './button.tsx'
import { cx } from './cx.ts'
import styles from './dialog.module.css'

export interface DialogProps {
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  /** `alertdialog` for a question that must be answered. */
  readonly role?: 'dialog' | 'alertdialog'
  readonly wide?: boolean
  /** Large dialog that uses the available window size. */
  readonly huge?: boolean
  readonly children: ReactNode
}

/** Escape closes it; a click outside does not, because that would discard the user's input. */
export function Dialog(props: DialogProps) {
  const { title, isOpen, onClose, role = 'dialog', wide = false, huge = false, children } = props
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={open => {
        if (!open) onClose()
      }}
      className={cx(styles.overlay)}
    >
      <Modal className={cx(styles.modal, wide && styles.wide, huge && styles.huge)}>
        <AriaDialog role={role} className={cx(styles.dialog)}>
          <header className={styles.head}>
            <Heading slot="title" className={cx(styles.title)}>
              {title}
            </Heading>
            <IconButton label="Close" onPress={onClose}>
              <X size={16} />
            </IconButton>
          </header>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

/** The row of buttons at the end of a dialog. */
export function DialogActions({ children }: { readonly children: ReactNode }) {
  return <footer className={styles.actions}>{children}</footer>
}
