// Asking before a guest signs out: nobody can come back to such an account.
import { Link } from '@tanstack/react-router'
import { Button } from '../../../widgets/button.tsx'
import { Dialog, DialogActions } from '../../../widgets/dialog.tsx'
import styles from '../account.module.css'

export interface GuestLeaveDialogProps {
  readonly onLeave: () => void
  readonly onClose: () => void
}

export function GuestLeaveDialog({ onLeave, onClose }: GuestLeaveDialogProps) {
  return (
    <Dialog title="Leave this guest’s account for good?" isOpen onClose={onClose} role="alertdialog">
      <p className={styles.text}>
        It has neither address nor password, so nobody can sign in to it again: what only it may see is out of
        reach from then on.{' '}
        <Link to="/account" hash="profile" onClick={onClose}>
          Give it an address
        </Link>{' '}
        to keep it.
      </p>
      <DialogActions>
        <Button onPress={onClose}>Stay</Button>
        <Button
          variant="danger"
          onPress={() => {
            onClose()
            onLeave()
          }}
        >
          Leave for good
        </Button>
      </DialogActions>
    </Dialog>
  )
}
