// One saved host in the list: its name, its accounts, what it answers, and what can be done with it.
import { Activity, Check, Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { Button, IconButton } from '../../widgets/button.tsx'
import { cx } from '../../widgets/cx.ts'
import menu from '../../widgets/menu.module.css'
import { Chip } from '../../widgets/pill.tsx'
import { accountName } from '../accounts/book.ts'
import { savedAccounts } from '../accounts/book-store.ts'
import type { Connection } from '../connections.ts'
import { useWorkspace } from '../workspace.tsx'
import styles from './connect.module.css'
import { Grip } from './grip.tsx'
import { RenameForm } from './rename-form.tsx'
import { SurveyPanel } from './survey-panel.tsx'

export interface SavedHostProps {
  readonly connection: Connection
  readonly isActive: boolean
  /** Where it stands, and among how many. */
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
        {of > 1 ? <Grip name={connection.name} at={at} onMove={move} /> : null}
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
          label={isLooked ? `Close what ${connection.name} answers` : `Look what ${connection.name} answers`}
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
        {connection.given === true ? <Chip title="Set in this page’s chartroom.json">given</Chip> : null}
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
  const does: Readonly<Record<string, () => void>> = {
    rename: onRename,
    up: () => onMove(at - 1),
    down: () => onMove(at + 1),
    forget: onForget,
  }
  const off = [
    ...(isOwn ? [] : ['rename', 'forget']),
    ...(at === 0 ? ['up'] : []),
    ...(at === of - 1 ? ['down'] : []),
  ]
  return (
    <MenuTrigger>
      <IconButton label={`More for ${connection.name}`}>
        <Ellipsis size={15} />
      </IconButton>
      <Popover placement="bottom end" className={cx(menu.menu)}>
        <Menu
          aria-label={`More for ${connection.name}`}
          className={cx(menu.items)}
          disabledKeys={off}
          onAction={key => does[String(key)]?.()}
        >
          <MenuItem id="rename" className={cx(menu.item)} textValue="Rename">
            Rename
            {isOwn ? null : <span className={menu.text}>its name comes with this page</span>}
          </MenuItem>
          <MenuItem id="up" className={cx(menu.item)}>
            Move up
          </MenuItem>
          <MenuItem id="down" className={cx(menu.item)}>
            Move down
          </MenuItem>
          <MenuItem id="forget" className={cx(menu.item)} textValue="Forget">
            Forget
            {isOwn ? null : <span className={menu.text}>it comes with this page</span>}
          </MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}
