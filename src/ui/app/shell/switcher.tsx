// Button that shows the current backend and account; its menu lists all of them.
import { ChevronsUpDown } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { Button, VisuallyHidden } from 'react-aria-components'
import { useStatus } from '../../react/index.ts'
import { cx } from '../../widgets/cx.ts'
import type { AppCommand } from '../commands/app-command.ts'
import { useAppCommands } from '../commands/use-app-commands.ts'
import { connectionTitle } from '../../../services/workbench/hosts/index.ts'
import { lazyPart } from '../lazy-part.tsx'
import { useWorkspace } from '../workspace.tsx'
import styles from './shell.module.css'
import type { SwitcherMenuProps } from './switcher-menu.tsx'

interface LateMenuProps extends SwitcherMenuProps {
  readonly onFailed: () => void
}

const SwitcherMenu = lazyPart<LateMenuProps>(
  'the menu',
  async () => (await import('./switcher-menu.tsx')).SwitcherMenu,
  { whileLoading: null, giveUp: ({ onFailed }) => onFailed() },
)

/** Opened by pointer, by key or by command. */
export function Switcher() {
  const { active } = useWorkspace()
  const session = useStatus(status => status.session)
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const [wasOpened, setOpened] = useState(false)
  if (isOpen && !wasOpened) setOpened(true)
  const commands = useMemo<readonly AppCommand[]>(
    () => [
      {
        id: 'switch',
        title: 'Switch backend or account…',
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
  const fail = () => {
    setOpen(false)
    setOpened(false)
  }
  if (!active) return null
  const who = session.phase === 'authenticated' ? (session.user.email ?? 'guest') : 'signed out'
  const aal = session.phase === 'authenticated' ? session.aal : ''
  return (
    <>
      <Button
        ref={button}
        className={cx(styles.switcher)}
        data-tour="switcher"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onPress={() => setOpen(true)}
      >
        <VisuallyHidden>Backend and account: </VisuallyHidden>
        <span className={styles.ellipsis}>{connectionTitle(active)}</span>
        <span className={styles.user}>
          <span className={styles.ellipsis}>{who}</span>
          <span className={styles.faint}>{aal}</span>
        </span>
        <ChevronsUpDown size={13} aria-hidden />
      </Button>
      {wasOpened ? (
        <SwitcherMenu button={button} isOpen={isOpen} onClose={() => setOpen(false)} onFailed={fail} />
      ) : null}
    </>
  )
}
