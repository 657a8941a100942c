// Confirms the removal of a backend with signed-in accounts.
import { Button } from '../../widgets/button.tsx'
import { Dialog, DialogActions } from '../../widgets/dialog.tsx'
import { type Account, accountName } from '../../../services/workbench/accounts/index.ts'
import type { Connection } from '../../../services/workbench/hosts/index.ts'

export interface ForgetDialogProps {
  readonly connection: Connection
  readonly accounts: readonly Account[]
  readonly onForget: () => void
  readonly onClose: () => void
}

export function ForgetDialog({ connection, accounts, onForget, onClose }: ForgetDialogProps) {
  const names = accounts.map(accountName)
  return (
    <Dialog title={`Remove ${connection.name}?`} role="alertdialog" isOpen onClose={onClose}>
      <p>
        {names.join(', ')} {names.length === 1 ? 'is' : 'are'} signed in there. Removing it deletes{' '}
        {names.length === 1 ? 'this session' : 'these sessions'} from this browser, with the saved queries and
        drafts of that backend. Nothing changes on the backend itself.
      </p>
      {accounts.some(({ isAnonymous }) => isAnonymous) ? (
        <p>A guest account has no email and no password: without the session it can’t be reached again.</p>
      ) : null}
      <DialogActions>
        <Button onPress={onClose}>Cancel</Button>
        <Button variant="danger" onPress={onForget}>
          Remove
        </Button>
      </DialogActions>
    </Dialog>
  )
}
