// The console's toolbar: recording, stepping, control, query, layouts, and other commands.
import { CircleHelp, Download, FolderOpen, Search, X, Ellipsis } from 'lucide-react'
import { useMemo, useRef, type ReactNode } from 'react'
import { Button as AriaButton } from 'react-aria-components'
import { IconButton } from '../../widgets/button.tsx'
import { cx } from '../../widgets/cx.ts'
import { Kbd } from '../../widgets/kbd.tsx'
import { isApplePlatform, keyLabel } from '../../widgets/palette/key-name.ts'
import { useCommands } from '../commands/use-commands.ts'
import type { ConsoleCommand } from '../commands/command.ts'
import type { Command } from '../place-commands.ts'
import styles from './toolbar.module.css'
import { Transport } from '../transport/transport.tsx'
import { ActionMenu, IconMenu } from '../../widgets/menu.tsx'
import { useOffered } from '../../widgets/palette/use-commands.ts'

export interface ToolbarProps {
  /** Recording controls, or the opened file's name. */
  readonly origin: ReactNode
  readonly place: ReactNode
  readonly filter: ReactNode
  readonly onCommand: (command: Command) => void
  /** Undefined while there is nothing to save. */
  readonly onDownload: (() => void) | undefined
  readonly onOpen: (file: File) => void
  /** Control buttons; undefined if nothing can be controlled. */
  readonly drive?: ReactNode
  /** Button that opens the list of earlier recordings. */
  readonly earlier: ReactNode
  /** The menu of layouts. */
  readonly layout: ReactNode
  /** Buttons of the console's host. */
  readonly hostButtons?: ReactNode
  readonly onClose: (() => void) | undefined
}

/** One line on wide consoles, two on narrow ones. */
export function Toolbar(props: ToolbarProps) {
  return (
    <div className={styles.toolbar} role="toolbar" aria-label="Console">
      <div className={styles.group}>{props.origin}</div>
      <div className={styles.group}>
        <Transport />
        {props.place}
      </div>
      {props.drive}
      {props.filter}
      <div className={styles.end}>
        <PaletteButton onCommand={props.onCommand} />
        {props.layout}
        <EndButtons {...props} />
      </div>
    </div>
  )
}

function PaletteButton({ onCommand }: Pick<ToolbarProps, 'onCommand'>) {
  return (
    <AriaButton className={cx(styles.palette)} onPress={() => onCommand('palette')}>
      <Search size={13} aria-hidden />
      <span className={styles.paletteText}>Console commands…</span>
      <span className={styles.paletteKey}>
        <Kbd>{keyLabel('Mod+K', isApplePlatform())}</Kbd>
      </span>
    </AriaButton>
  )
}

type EndButtonsProps = Pick<
  ToolbarProps,
  'onCommand' | 'onDownload' | 'onOpen' | 'earlier' | 'hostButtons' | 'onClose'
>

/** On narrow consoles, the first buttons move to a menu. */
function EndButtons({ onCommand, onDownload, onOpen, earlier, hostButtons, onClose }: EndButtonsProps) {
  return useMemo(
    () => (
      <>
        <span className={styles.roomy}>
          {onDownload ? (
            <IconButton size="s" label="Download recording" onPress={onDownload}>
              <Download size={15} aria-hidden />
            </IconButton>
          ) : null}
          {earlier}
          <OpenButton onOpen={onOpen} onDownload={onDownload} />
          <IconButton size="s" label="Keyboard shortcuts" shortcut="?" onPress={() => onCommand('help')}>
            <CircleHelp size={15} aria-hidden />
          </IconButton>
        </span>
        <span className={styles.tight}>
          <MoreMenu />
        </span>
        {hostButtons}
        {onClose ? (
          <IconButton size="s" label="Close console" onPress={onClose}>
            <X size={15} aria-hidden />
          </IconButton>
        ) : null}
      </>
    ),
    [onCommand, onDownload, onOpen, earlier, hostButtons, onClose],
  )
}

function OpenButton({ onOpen, onDownload }: Pick<ToolbarProps, 'onOpen' | 'onDownload'>) {
  const input = useRef<HTMLInputElement>(null)
  const commands = useMemo<readonly ConsoleCommand[]>(() => {
    const section = 'Recording'
    const save = {
      id: 'recording.save',
      title: 'Download recording',
      section,
      words: 'save file',
    } as const
    return [
      {
        id: 'recording.open',
        title: 'Open a trace file',
        section,
        words: 'load import',
        run: () => input.current?.click(),
      },
      onDownload
        ? { ...save, run: onDownload }
        : { ...save, disabled: 'a file is shown', run: () => undefined },
    ]
  }, [onDownload])
  useCommands(commands)
  return (
    <>
      <IconButton size="s" label="Open a trace file" onPress={() => input.current?.click()}>
        <FolderOpen size={15} aria-hidden />
      </IconButton>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="Trace file"
        onChange={event => {
          const file = event.target.files?.[0]
          event.target.value = ''
          if (file) onOpen(file)
        }}
      />
    </>
  )
}

const SHOWN: ReadonlySet<string> = new Set(['help', 'drive.hold', 'drive.step', 'drive.panel'])

/** On a narrow console, a menu of the commands that do not fit in the toolbar. */
function MoreMenu() {
  return (
    <IconMenu label="More" icon={<Ellipsis size={15} aria-hidden />}>
      <Items />
    </IconMenu>
  )
}

/** Mounted only while the menu is open: the list of commands changes often. */
function Items() {
  const commands = useOffered().filter(({ id, section }) => section === 'Recording' || SHOWN.has(id))
  return <ActionMenu label="More" actions={commands} />
}
