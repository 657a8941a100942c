// A saved backend in the list: name, accounts, diagnostics and actions.
import { Activity, Check, Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '../../widgets/button.tsx'
import { ActionMenu, IconMenu, type MenuAction } from '../../widgets/menu.tsx'
import { Chip } from '../../widgets/pill.tsx'
import { accountName, savedAccounts } from '../../../services/workbench/accounts/index.ts'
import type { Connection } from '../../../services/workbench/hosts/index.ts'
import { useWorkspace } from '../workspace.tsx'
import styles from './connect.module.css'
import { DragHandle } from './drag-handle.tsx'
import { RenameForm } from './rename-form.tsx'
import { SurveyPanel } from './survey-panel.tsx'

export interface SavedHostProps {
  readonly connection: Connection
  readonly isActive: boolean
  /** Index in the list, and length of the list. */
  readonly at: number
  readonly of: number
  readonly onForget: () => void
}

export function SavedHost(props: SavedHostProps) {
  const { connection, isActive, at, of } = props
  const { dispatch } = useWorkspace()
  const [isNamed, setNamed] = useState(false)
  const [isLooked, setLooked] = useState(false)
  const move = (to: number) => dispatch({ type: 'connection.moved', id: connection.id, to })
  return (
    <li className={styles.entry} data-place={at}>
      <div className={styles.entryLine}>
        {of > 1 ? <DragHandle name={connection.name} at={at} onMove={move} /> : null}
        {isNamed ? (
          <RenameForm connection={connection} onClose={() => setNamed(false)} />
        ) : (
          <HostText connection={connection} />
        )}
        {isActive ? (
          <span className={styles.inUse}>
            <Check size={14} aria-hidden /> in use
          </span>
        ) : (
          <Button onPress={() => dispatch({ type: 'connection.chosen', id: connection.id })}>Connect</Button>
        )}
        <IconButton
          label={
            isLooked ? `Close diagnostics of ${connection.name}` : `Run diagnostics of ${connection.name}`
          }
          isOn={isLooked}
          onPress={() => setLooked(!isLooked)}
        >
          <Activity size={15} />
        </IconButton>
        <HostMenu {...props} onRename={() => setNamed(true)} onMove={move} />
      </div>
      {isLooked ? <SurveyPanel name={connection.name} url={connection.url} apiKey={connection.key} /> : null}
    </li>
  )
}

function HostText({ connection }: Pick<SavedHostProps, 'connection'>) {
  const accounts = savedAccounts(connection.url).map(accountName)
  return (
    <span className={styles.entryText}>
      <span className={styles.entryName}>
        {connection.name}
        {connection.embedded ? <Chip tone="ok">embedded</Chip> : null}
        {connection.given === true ? <Chip title="Set in this page’s chartroom.json">preset</Chip> : null}
      </span>
      <span className={styles.entryUrl}>{connection.url}</span>
      {accounts.length > 0 ? <span className={styles.entryWho}>{accounts.join(', ')}</span> : null}
    </span>
  )
}

interface HostMenuProps extends SavedHostProps {
  readonly onRename: () => void
  readonly onMove: (to: number) => void
}

function HostMenu({ connection, at, of, onRename, onMove, onForget }: HostMenuProps) {
  const isOwn = !connection.embedded && connection.given !== true
  const actions: readonly MenuAction[] = [
    {
      id: 'rename',
      title: 'Rename',
      disabled: isOwn ? undefined : 'set by this deployment',
      run: onRename,
    },
    {
      id: 'up',
      title: 'Move up',
      disabled: at === 0 ? 'already first' : undefined,
      run: () => onMove(at - 1),
    },
    {
      id: 'down',
      title: 'Move down',
      disabled: at === of - 1 ? 'already last' : undefined,
      run: () => onMove(at + 1),
    },
    { id: 'forget', title: 'Remove', disabled: isOwn ? undefined : 'set by this deployment', run: onForget },
  ]
  const label = `More for ${connection.name}`
  return (
    <IconMenu label={label} size="m" icon={<Ellipsis size={15} />}>
      <ActionMenu label={label} actions={actions} />
    </IconMenu>
  )
}
