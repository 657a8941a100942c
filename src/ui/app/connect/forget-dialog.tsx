// Asking before a host is forgotten at which somebody is still signed in.
import { Button } from '../../widgets/button.tsx'
import { Dialog, DialogActions } from '../../widgets/dialog.tsx'
import { accountName, type Account } from '../accounts/book.ts'
import type { Connection } from '../connections.ts'

export interface ForgetDialogProps {
  readonly connection: Connection
  readonly accounts: readonly Account[]
  readonly onForget: () => void
  readonly onClose: () => void
}

export function ForgetDialog({ connection, accounts, onForget, onClose }: ForgetDialogProps) {
  const names = accounts.map(accountName)
  return (
    <Dialog title={`Forget ${connection.name}?`} role="alertdialog" isOpen onClose={onClose}>
      <p>
        {names.join(', ')} {names.length === 1 ? 'is' : 'are'} signed in there. Forgetting it takes{' '}
        {names.length === 1 ? 'this session' : 'these sessions'} out of this browser, with saved queries and
        drafts of that host. On the host itself nothing changes.
      </p>
      {accounts.some(({ isAnonymous }) => isAnonymous) ? (
        <p>
          A guest has neither address nor password: without the session the account can’t be reached again.
        </p>
      ) : null}
      <DialogActions>
        <Button onPress={onClose}>Keep it</Button>
        <Button variant="danger" onPress={onForget}>
          Forget it
        </Button>
      </DialogActions>
    </Dialog>
  )
}
