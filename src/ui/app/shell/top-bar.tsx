// The bar: where we are connected, as whom, for how long, and how well.
import { Monitor, Moon, PanelBottom, Sun } from 'lucide-react'
import { use } from 'react'
import { useStatus } from '../../react.ts'
import { IconButton } from '../../widgets/button.tsx'
import { Dot, Pill } from '../../widgets/pill.tsx'
import { connectionTitle } from '../connections.ts'
import { ThemeContext } from '../theme-context.ts'
import type { Theme } from '../theme.ts'
import { useWorkspace } from '../workspace.tsx'
import { Brand } from './brand.tsx'
import { connectionHealth } from './health.ts'
import styles from './shell.module.css'
import { TokenBar } from './token-life.tsx'
import { CONSOLE_BUTTON, CONSOLE_KEYS, type ConsoleToggle } from './use-console-toggle.ts'

const NEXT: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' }
const ICONS: Readonly<Record<Theme, typeof Sun>> = { system: Monitor, light: Sun, dark: Moon }

/** Cycles through the system's theme, light and dark. */
export function ThemeToggle() {
  const [theme, setTheme] = use(ThemeContext)
  const Icon = ICONS[theme]
  return (
    <IconButton label={`Theme: ${theme}. Switch to ${NEXT[theme]}`} onPress={() => setTheme(NEXT[theme])}>
      <Icon size={16} />
    </IconButton>
  )
}

function SessionPills() {
  const session = useStatus(status => status.session)
  if (session.phase !== 'authenticated') return null
  return (
    <>
      <span className={styles.user}>
        <Pill>
          <span className={styles.ellipsis}>{session.user.email ?? session.user.id}</span>
          <span className={styles.faint}>{session.aal}</span>
        </Pill>
      </span>
      <TokenBar token={session.token} />
    </>
  )
}

function ConnectionPill() {
  const status = useStatus()
  const health = connectionHealth(status)
  return (
    <output className={styles.pillLive} title={health.detail} aria-label={`Connection: ${health.label}`}>
      <Dot tone={health.tone} />
      <span className={styles.healthLabel}>{health.label}</span>
    </output>
  )
}

/** The top bar of a connected app, signed in or not. */
export function TopBar({ consoleToggle }: { readonly consoleToggle: ConsoleToggle }) {
  const { active } = useWorkspace()
  return (
    <header className={styles.bar}>
      <Brand />
      {active === undefined ? null : (
        <span className={styles.host}>
          <Pill title={active.url}>
            <span className={styles.ellipsis}>{connectionTitle(active)}</span>
          </Pill>
        </span>
      )}
      <SessionPills />
      <span className={styles.grow} />
      <ConnectionPill />
      <IconButton
        id={CONSOLE_BUTTON}
        label={consoleToggle.isOpen ? 'Close the console' : 'Open the console'}
        shortcut={CONSOLE_KEYS}
        isOn={consoleToggle.isOpen}
        onPress={consoleToggle.toggle}
      >
        <PanelBottom size={16} />
      </IconButton>
      <ThemeToggle />
    </header>
  )
}
