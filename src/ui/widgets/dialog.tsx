// A modal dialog with a title, a body and its actions.
import { X } from 'lucide-react'
import { useRef, type ReactNode } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { IconButton } from './button.tsx'
import { cx } from './cx.ts'
import styles from './dialog.module.css'
import { useFocusHome } from './use-focus-home.ts'

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
        <Content title={title} role={role} onClose={onClose}>
          {children}
        </Content>
      </Modal>
    </ModalOverlay>
  )
}

type ContentProps = Pick<DialogProps, 'title' | 'onClose' | 'children'> & {
  readonly role: 'dialog' | 'alertdialog'
}

/** Mounted while the dialog is open. Keeps the focus, so that Escape works after a focused button is gone. */
function Content({ title, role, onClose, children }: ContentProps) {
  const dialog = useRef<HTMLElement>(null)
  useFocusHome(dialog)
  return (
    <AriaDialog ref={dialog} role={role} className={cx(styles.dialog)}>
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
  )
}

/** The row of buttons at the end of a dialog. */
export function DialogActions({ children }: { readonly children: ReactNode }) {
  return <footer className={styles.actions}>{children}</footer>
}
