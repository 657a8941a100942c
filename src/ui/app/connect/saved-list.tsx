// The list of saved connections: choose, run diagnostics, rename, reorder, remove.
import { useState, useRef, type KeyboardEvent, type PointerEvent, useEffect } from 'react'
import { savedAccounts, type Account, accountName } from '../../../services/workbench/accounts/index.ts'
import { type Connection, forgetHost } from '../../../services/workbench/hosts/index.ts'
import { notify } from '../shell/notify.ts'
import { useWorkspace } from '../workspace.tsx'
import styles from './connect.module.css'
import { Button, IconButton } from '../../widgets/button.tsx'
import { Dialog, DialogActions } from '../../widgets/dialog.tsx'
import { Activity, Check, Ellipsis, GripVertical, KeyRound } from 'lucide-react'
import { ActionMenu, IconMenu, type MenuAction } from '../../widgets/menu.tsx'
import { Chip } from '../../widgets/pill.tsx'
import { EnterKeyButton, KeyDialog } from './key-dialog.tsx'
import { SurveyPanel } from './survey-panel.tsx'
import { TextField } from '../../widgets/field.tsx'
import { Form } from '../../widgets/form.tsx'

interface SavedListProps {
  /** The backend in use refuses its key. */
  readonly isKeyRejected?: boolean
}

/** Removing a connection does not affect the backend or its data. */
export function SavedList({ isKeyRejected = false }: SavedListProps) {
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
            isKeyRejected={isKeyRejected && connection.id === connections.active}
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

interface SavedHostProps {
  readonly connection: Connection
  readonly isActive: boolean
  /** The backend refuses the key. */
  readonly isKeyRejected: boolean
  /** Index in the list, and length of the list. */
  readonly at: number
  readonly of: number
  readonly onForget: () => void
}

function SavedHost(props: SavedHostProps) {
  const { connection, isActive, isKeyRejected, at, of } = props
  const { dispatch } = useWorkspace()
  const [isNamed, setNamed] = useState(false)
  const [isLooked, setLooked] = useState(false)
  const [isKeyOpen, setKeyOpen] = useState(false)
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
        {isKeyRejected ? (
          <>
            <span className={styles.rejected}>
              <KeyRound size={14} aria-hidden /> Key rejected
            </span>
            <EnterKeyButton connection={connection} />
          </>
        ) : isActive ? (
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
        <HostMenu {...props} onRename={() => setNamed(true)} onKey={() => setKeyOpen(true)} onMove={move} />
      </div>
      {isKeyOpen ? <KeyDialog connection={connection} onClose={() => setKeyOpen(false)} /> : null}
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
  readonly onKey: () => void
  readonly onMove: (to: number) => void
}

function HostMenu({ connection, at, of, onRename, onKey, onMove, onForget }: HostMenuProps) {
  const isOwn = !connection.embedded && connection.given !== true
  const actions: readonly MenuAction[] = [
    {
      id: 'rename',
      title: 'Rename',
      disabled: isOwn ? undefined : 'set by this deployment',
      run: onRename,
    },
    {
      id: 'key',
      title: 'Enter another key',
      disabled: isOwn ? undefined : 'set by this deployment',
      run: onKey,
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

interface DragHandleProps {
  readonly name: string
  /** Index in the list. */
  readonly at: number
  readonly onMove: (to: number) => void
}

/** Index of the line under the pointer. */
const placeUnder = ({ clientX, clientY }: PointerEvent): number | undefined => {
  const line = document.elementFromPoint(clientX, clientY)?.closest('[data-place]')
  return line ? Number(line.getAttribute('data-place')) : undefined
}

function DragHandle({ name, at, onMove }: DragHandleProps) {
  const isHeld = useRef(false)
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (by === undefined) return
    event.preventDefault()
    onMove(Math.max(0, at + by))
  }
  const onPointerMove = (event: PointerEvent) => {
    const to = isHeld.current ? placeUnder(event) : undefined
    if (to !== undefined && to !== at) onMove(to)
  }
  return (
    <button
      type="button"
      className={styles.grip}
      aria-label={`Move ${name}`}
      title="Drag, or use the arrow keys"
      onKeyDown={onKeyDown}
      onPointerDown={event => {
        isHeld.current = true
        event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={onPointerMove}
      onLostPointerCapture={() => {
        isHeld.current = false
      }}
    >
      <GripVertical size={14} aria-hidden />
    </button>
  )
}

interface RenameFormProps {
  readonly connection: Connection
  readonly onClose: () => void
}

/** Enter saves, Escape cancels; an empty name resets it to the URL's host. */
function RenameForm({ connection, onClose }: RenameFormProps) {
  const { dispatch } = useWorkspace()
  const [name, setName] = useState(connection.name)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.select(), [])
  const save = () => {
    const chosen = name.trim() === '' ? new URL(connection.url).host : name
    dispatch({ type: 'connection.renamed', id: connection.id, name: chosen })
    onClose()
  }
  const onKeyDown = (event: Pick<KeyboardEvent, 'key'>) => {
    if (event.key === 'Escape') onClose()
  }
  return (
    <Form className={styles.rename} onSubmit={save} aria-label={`Rename ${connection.name}`}>
      <TextField
        label="Name"
        hideLabel
        value={name}
        onChange={setName}
        onKeyDown={onKeyDown}
        inputRef={field}
      />
      <Button type="submit">Save</Button>
    </Form>
  )
}
