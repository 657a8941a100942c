// Where we are connected and as whom, as one button: its menu holds all hosts and all accounts.
import { useRouter } from '@tanstack/react-router'
import { ChevronsUpDown } from 'lucide-react'
import { useMemo, useState } from 'react'
import {
  Button,
  Header,
  Menu,
  MenuItem,
  MenuSection,
  MenuTrigger,
  Popover,
  Separator,
} from 'react-aria-components'
import { useStatus } from '../../react.ts'
import { cx } from '../../widgets/cx.ts'
import menu from '../../widgets/menu.module.css'
import { useAccounts } from '../accounts/use-accounts.ts'
import type { AppCommand } from '../commands/app-command.ts'
import { useAppCommands } from '../commands/use-app-commands.ts'
import { connectionTitle } from '../connections.ts'
import { useWorkspace } from '../workspace.tsx'
import styles from './shell.module.css'
import { switchGroups, type SwitchGroup } from './switch-items.ts'

/** Opened by pointer, by key or by command. */
export function Switcher() {
  const { active } = useWorkspace()
  const session = useStatus(status => status.session)
  const [isOpen, setOpen] = useState(false)
  const groups = useSwitches()
  const commands = useMemo<readonly AppCommand[]>(
    () => [
      {
        id: 'switch',
        title: 'Switch host or account …',
        section: 'Connection',
        keys: ['G S'],
        words: 'user sign in as project backend',
        rank: -1,
        run: () => setOpen(true),
      },
    ],
    [],
  )
  useAppCommands(commands)
  if (!active) return null
  const who = session.phase === 'authenticated' ? (session.user.email ?? 'guest') : 'signed out'
  const aal = session.phase === 'authenticated' ? session.aal : ''
  return (
    <MenuTrigger isOpen={isOpen} onOpenChange={setOpen}>
      <Button
        className={cx(styles.switcher)}
        aria-label={`Host and account: ${connectionTitle(active)}, ${who}`}
      >
        <span className={styles.ellipsis}>{connectionTitle(active)}</span>
        <span className={styles.user}>
          <span className={styles.ellipsis}>{who}</span>
          <span className={styles.faint}>{aal}</span>
        </span>
        <ChevronsUpDown size={13} aria-hidden />
      </Button>
      <Popover placement="bottom start" className={cx(menu.menu)}>
        <Items groups={groups} />
      </Popover>
    </MenuTrigger>
  )
}

function Items({ groups }: { readonly groups: readonly SwitchGroup[] }) {
  const all = groups.flatMap(({ items }) => items)
  return (
    <Menu
      aria-label="Hosts and accounts"
      className={cx(menu.items)}
      selectionMode="single"
      selectedKeys={all.filter(({ isOn }) => isOn).map(({ id }) => id)}
      onAction={key => all.find(({ id }) => id === key)?.run()}
    >
      {groups.map(({ id, title, note, items }, at) => (
        <MenuSection key={id}>
          <Header className={cx(menu.heading)}>
            {title} <span className={menu.text}>{note}</span>
          </Header>
          {items.map(item => (
            <MenuItem
              key={item.id}
              id={item.id}
              textValue={item.title}
              className={cx(menu.item, menu.marked)}
            >
              {item.title}
              {item.note === '' ? null : <span className={menu.text}>{item.note}</span>}
            </MenuItem>
          ))}
          {at < groups.length - 1 ? <Separator className={cx(menu.line)} /> : null}
        </MenuSection>
      ))}
    </Menu>
  )
}

function useSwitches(): readonly SwitchGroup[] {
  const router = useRouter()
  const workspace = useWorkspace()
  const accounts = useAccounts()
  return switchGroups(workspace, accounts, {
    manage: () => void router.navigate({ to: '/connections' }),
    account: () => void router.navigate({ to: '/account' }),
  })
}
