// Confirms the sign-out of a guest: such an account cannot be signed in to again.
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
    <Dialog title="Sign out and lose this guest account?" isOpen onClose={onClose} role="alertdialog">
      <p className={styles.text}>
        It has no email and no password, so you can’t sign in to it again. Data that only this account can see
        becomes unreachable.{' '}
        <Link to="/account" hash="profile" onClick={onClose}>
          Add an email
        </Link>{' '}
        to keep it.
      </p>
      <DialogActions>
        <Button onPress={onClose}>Cancel</Button>
        <Button
          variant="danger"
          onPress={() => {
            onClose()
            onLeave()
          }}
        >
          Sign out and lose account
        </Button>
      </DialogActions>
    </Dialog>
  )
}
