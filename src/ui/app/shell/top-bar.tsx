// The top bar: backend, account, token lifetime and connection state.
import { PanelBottom, Radio, Search, ChevronsUpDown } from 'lucide-react'
import { useStatus } from '../../react/index.ts'
import { IconButton } from '../../widgets/button.tsx'
import { Dot } from '../../widgets/pill.tsx'
import { Brand } from './brand.tsx'
import { connectionHealth } from './health.ts'
import styles from './shell.module.css'
import { ThemeToggle } from './theme-toggle.tsx'
import { CONSOLE_BUTTON, CONSOLE_KEYS, type ConsoleToggle } from './use-console-toggle.ts'
import { Button, VisuallyHidden } from 'react-aria-components'
import { cx } from '../../widgets/cx.ts'
import { Kbd } from '../../widgets/kbd.tsx'
import { isApplePlatform, keyLabel } from '../../widgets/palette/key-name.ts'
import { useRegistry } from '../../widgets/palette/use-commands.ts'
import { preparePalette } from '../commands/app-commands.tsx'
import { useMemo, useRef, useState } from 'react'
import type { AppCommand } from '../commands/app-command.ts'
import { useAppCommands } from '../commands/use-app-commands.ts'
import { connectionTitle } from '../../../services/workbench/hosts/index.ts'
import { lazyPart } from '../lazy-part.tsx'
import { useWorkspace } from '../workspace.tsx'
import type { SwitcherMenuProps } from './switcher-menu.tsx'
import { useBackendTrouble } from './use-backend-trouble.ts'

export interface TopBarProps {
  readonly consoleToggle: ConsoleToggle
}

/** Loaded after the sign-in. */
const TokenBar = lazyPart('the token’s lifetime', async () => (await import('./token-life.tsx')).TokenBar, {
  whileLoading: null,
  giveUp: () => undefined,
})

function TokenPill() {
  const session = useStatus(status => status.session)
  return session.phase === 'authenticated' ? <TokenBar token={session.token} /> : null
}

function ConnectionPill() {
  const status = useStatus()
  const health = connectionHealth(status, useBackendTrouble())
  return (
    <output className={styles.pillLive} title={health.detail} aria-label={`Realtime: ${health.label}`}>
      <Dot tone={health.tone} />
      <Radio size={13} aria-hidden className={styles.healthIcon} />
      <span className={styles.healthLabel}>
        <span className={styles.healthNoun}>Realtime: </span>
        {health.label}
      </span>
    </output>
  )
}

/** The top bar of a connected app, signed in or not. */
export function TopBar({ consoleToggle }: TopBarProps) {
  return (
    <header className={styles.bar}>
      <Brand />
      <Switcher />
      <TokenPill />
      <span className={styles.grow} />
      <ConnectionPill />
      <SearchButton />
      <IconButton
        id={CONSOLE_BUTTON}
        label={consoleToggle.isOpen ? 'Close the console' : 'Open the console'}
        text="Console"
        shortcut={CONSOLE_KEYS}
        isOn={consoleToggle.isOpen}
        onPress={consoleToggle.toggle}
      >
        <PanelBottom size={16} />
      </IconButton>
      {/* In narrow windows it is only in the palette. */}
      <span className={styles.themeSwitch}>
        <ThemeToggle />
      </span>
    </header>
  )
}

/** Preloads the palette when the pointer approaches. */
function SearchButton() {
  const { run } = useRegistry()
  return (
    <Button
      className={cx(styles.search)}
      data-tour="search"
      onHoverStart={preparePalette}
      onFocus={preparePalette}
      onPress={() => run('palette')}
    >
      <Search size={14} aria-hidden />
      <span className={styles.searchText}>
        Search… <Kbd>{keyLabel('Mod+K', isApplePlatform())}</Kbd>
      </span>
    </Button>
  )
}

interface LateMenuProps extends SwitcherMenuProps {
  readonly onFailed: () => void
}

const SwitcherMenu = lazyPart<LateMenuProps>(
  'the menu',
  async () => (await import('./switcher-menu.tsx')).SwitcherMenu,
  { whileLoading: null, giveUp: ({ onFailed }) => onFailed() },
)

/** Opened by pointer, by key or by command. */
function Switcher() {
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
