// The top bar: backend, account, token lifetime and connection state.
import { PanelBottom, Radio, Search } from 'lucide-react'
import { useStatus } from '../../react/index.ts'
import { IconButton } from '../../widgets/button.tsx'
import { Dot } from '../../widgets/pill.tsx'
import { Brand } from './brand.tsx'
import { connectionHealth } from './health.ts'
import styles from './shell.module.css'
import { Switcher } from './switcher.tsx'
import { ThemeToggle } from './theme-toggle.tsx'
import { TokenBar } from './token-life.tsx'
import { CONSOLE_BUTTON, CONSOLE_KEYS, type ConsoleToggle } from './use-console-toggle.ts'
import { Button } from 'react-aria-components'
import { cx } from '../../widgets/cx.ts'
import { Kbd } from '../../widgets/kbd.tsx'
import { isApplePlatform, keyLabel } from '../../widgets/palette/key-name.ts'
import { preparePalette, useOpenPalette } from '../commands/app-commands.tsx'

export interface TopBarProps {
  readonly consoleToggle: ConsoleToggle
  /** Requests to the backend get no response. */
  readonly isSilent: boolean
}

function TokenPill() {
  const session = useStatus(status => status.session)
  return session.phase === 'authenticated' ? <TokenBar token={session.token} /> : null
}

function ConnectionPill({ isSilent }: Pick<TopBarProps, 'isSilent'>) {
  const status = useStatus()
  const health = connectionHealth(status, isSilent)
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
export function TopBar({ consoleToggle, isSilent }: TopBarProps) {
  return (
    <header className={styles.bar}>
      <Brand />
      <Switcher />
      <TokenPill />
      <span className={styles.grow} />
      <ConnectionPill isSilent={isSilent} />
      <SearchButton />
      <IconButton
        id={CONSOLE_BUTTON}
        label={consoleToggle.isOpen ? 'Close the console' : 'Open the console'}
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
  const open = useOpenPalette()
  return (
    <Button
      className={cx(styles.search)}
      data-tour="search"
      onHoverStart={preparePalette}
      onFocus={preparePalette}
      onPress={() => open('palette')}
    >
      <Search size={14} aria-hidden />
      <span className={styles.searchText}>
        Search… <Kbd>{keyLabel('Mod+K', isApplePlatform())}</Kbd>
      </span>
    </Button>
  )
}
