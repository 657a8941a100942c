// The saved connections: choose one or forget it.
import { Check, Trash2 } from 'lucide-react'
import { Button, IconButton } from '../../widgets/button.tsx'
import { Chip } from '../../widgets/pill.tsx'
import { useWorkspace } from '../workspace.tsx'
import styles from './connect.module.css'

/** Forgetting a connection leaves the backend and its data alone. */
export function SavedList() {
  const { connections, dispatch } = useWorkspace()
  return (
    <ul className={styles.saved} aria-label="Saved connections">
      {connections.list.map(connection => {
        const isActive = connection.id === connections.active
        return (
          <li key={connection.id} className={styles.entry}>
            <span className={styles.entryText}>
              <span className={styles.entryName}>
                {connection.name} {connection.embedded ? <Chip tone="ok">embedded</Chip> : null}
              </span>
              <span className={styles.entryUrl}>{connection.url}</span>
            </span>
            {isActive ? (
              <span className={styles.inUse}>
                <Check size={14} aria-hidden /> in use
              </span>
            ) : (
              <Button onPress={() => dispatch({ type: 'connection.chosen', id: connection.id })}>
                Connect
              </Button>
            )}
            {connection.embedded ? null : (
              <IconButton
                label={`Forget ${connection.name}`}
                onPress={() => dispatch({ type: 'connection.forgotten', id: connection.id })}
              >
                <Trash2 size={15} />
              </IconButton>
            )}
          </li>
        )
      })}
    </ul>
  )
}
