// The list of saved connections: choose, run diagnostics, rename, reorder, remove.
import { useState } from 'react'
import { savedAccounts } from '../../../services/workbench/accounts/index.ts'
import { type Connection, forgetHost } from '../../../services/workbench/hosts/index.ts'
import { notify } from '../shell/notify.ts'
import { useWorkspace } from '../workspace.tsx'
import styles from './connect.module.css'
import { ForgetDialog } from './forget-dialog.tsx'
import { SavedHost } from './saved-host.tsx'

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
