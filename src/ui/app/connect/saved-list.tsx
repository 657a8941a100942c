// The list of saved connections: choose, run diagnostics, rename, reorder, remove.
import { useState } from 'react'
import { savedAccounts, type Account, accountName } from '../../../services/workbench/accounts/index.ts'
import { type Connection, forgetHost } from '../../../services/workbench/hosts/index.ts'
import { notify } from '../shell/notify.ts'
import { useWorkspace } from '../workspace.tsx'
import styles from './connect.module.css'
import { SavedHost } from './saved-host.tsx'
import { Button } from '../../widgets/button.tsx'
import { Dialog, DialogActions } from '../../widgets/dialog.tsx'

/** Removing a connection does not affect the backend or its data. */
export function SavedList() {
  const { connections, dispatch } = useWorkspace()
  const [asked, ask] = useState<Connection>()
  const { list } = connections
  const forget = (connection: Connection) => {
    const at = list.indexOf(connection)
    ask(undefined)
    dispatch({ type: 'connection.forgotten', id: connection.id })
    if (savedAccounts(connection.url).length > 0) {
      forgetHost(connection.url)
      notify({ title: `Removed ${connection.name}` })
      return
    }
    notify({
      title: `Removed ${connection.name}`,
      action: {
        label: 'Undo',
        run: () => dispatch({ type: 'connection.restored', connection, at }),
      },
    })
  }
  return (
    <>
      <ul className={styles.saved} aria-label="Saved connections">
        {list.map((connection, at) => (
          <SavedHost
            key={connection.id}
            connection={connection}
            isActive={connection.id === connections.active}
            at={at}
            of={list.length}
            onForget={() => (savedAccounts(connection.url).length > 0 ? ask(connection) : forget(connection))}
          />
        ))}
      </ul>
      {asked ? (
        <ForgetDialog
          connection={asked}
          accounts={savedAccounts(asked.url)}
          onForget={() => forget(asked)}
          onClose={() => ask(undefined)}
        />
      ) : null}
    </>
  )
}

interface ForgetDialogProps {
  readonly connection: Connection
  readonly accounts: readonly Account[]
  readonly onForget: () => void
  readonly onClose: () => void
}

/** Confirms the removal of a backend with signed-in accounts. */
function ForgetDialog({ connection, accounts, onForget, onClose }: ForgetDialogProps) {
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
