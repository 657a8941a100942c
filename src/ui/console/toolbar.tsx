// The console's toolbar: recording, stepping, filter, where one stands, files.
import { CircleHelp, Download, FolderOpen, X } from 'lucide-react'
import { useMemo, useRef, type ReactNode } from 'react'
import { IconButton } from '../widgets/button.tsx'
import type { Command } from './place-commands.ts'
import styles from './toolbar.module.css'
import { Transport } from './transport/transport.tsx'

export interface ToolbarProps {
  /** Recording controls, or the opened file's name. */
  readonly origin: ReactNode
  readonly place: ReactNode
  readonly filter: ReactNode
  readonly onCommand: (command: Command) => void
  /** Absent while there is nothing to save. */
  readonly onDownload: (() => void) | undefined
  readonly onOpen: (file: File) => void
  /** What drives the system; absent where nothing can be driven. */
  readonly drive?: ReactNode
  /** What opens the list of earlier recordings. */
  readonly earlier: ReactNode
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
      <EndButtons {...props} />
    </div>
  )
}

type EndButtonsProps = Pick<
  ToolbarProps,
  'onCommand' | 'onDownload' | 'onOpen' | 'earlier' | 'hostButtons' | 'onClose'
>

function EndButtons({ onCommand, onDownload, onOpen, earlier, hostButtons, onClose }: EndButtonsProps) {
  return useMemo(
    () => (
      <div className={styles.end}>
        {onDownload ? (
          <IconButton size="s" label="Download the recording" onPress={onDownload}>
            <Download size={15} aria-hidden />
          </IconButton>
        ) : null}
        {earlier}
        <OpenButton onOpen={onOpen} />
        <IconButton size="s" label="Keys" shortcut="?" onPress={() => onCommand('help')}>
          <CircleHelp size={15} aria-hidden />
        </IconButton>
        {hostButtons}
        {onClose ? (
          <IconButton size="s" label="Close the console" onPress={onClose}>
            <X size={15} aria-hidden />
          </IconButton>
        ) : null}
      </div>
    ),
    [onCommand, onDownload, onOpen, earlier, hostButtons, onClose],
  )
}

function OpenButton({ onOpen }: Pick<ToolbarProps, 'onOpen'>) {
  const input = useRef<HTMLInputElement>(null)
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
