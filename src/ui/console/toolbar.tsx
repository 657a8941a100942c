// The console's toolbar: recording, stepping, filter, where one stands, files.
import { ChevronLeft, ChevronRight, CircleHelp, Download, FolderOpen, X } from 'lucide-react'
import { useRef, type ReactNode, type RefObject } from 'react'
import { IconButton } from '../widgets/button.tsx'
import { FilterField } from './filter-field.tsx'
import styles from './toolbar.module.css'
import type { Followed } from './use-trace.ts'

export interface ToolbarProps {
  /** Recording controls, or the opened file's name. */
  readonly origin: ReactNode
  readonly place: ReactNode
  readonly followed: Followed
  readonly query: string
  readonly onQuery: (query: string) => void
  readonly filterRef: RefObject<HTMLInputElement | null>
  readonly onStep: (by: 1 | -1) => void
  /** Absent while there is nothing to save. */
  readonly onDownload?: (() => void) | undefined
  readonly onOpen: (file: File) => void
  readonly onHelp: () => void
  readonly onClose: () => void
}

/** One line on wide consoles, two on narrow ones. */
export function Toolbar(props: ToolbarProps) {
  const empty = props.followed.filter.length === 0
  return (
    <div className={styles.toolbar} role="toolbar" aria-label="Console">
      <div className={styles.group}>{props.origin}</div>
      <div className={styles.group}>
        <IconButton
          size="s"
          label="Event before"
          shortcut="K"
          isDisabled={empty}
          onPress={() => props.onStep(-1)}
        >
          <ChevronLeft size={15} aria-hidden />
        </IconButton>
        <IconButton
          size="s"
          label="Next event"
          shortcut="J"
          isDisabled={empty}
          onPress={() => props.onStep(1)}
        >
          <ChevronRight size={15} aria-hidden />
        </IconButton>
        {props.place}
      </div>
      <FilterField
        inputRef={props.filterRef}
        query={props.query}
        onQuery={props.onQuery}
        filter={props.followed.filter}
        size={props.followed.size}
      />
      <div className={styles.end}>
        {props.onDownload ? (
          <IconButton size="s" label="Download the recording" onPress={props.onDownload}>
            <Download size={15} aria-hidden />
          </IconButton>
        ) : null}
        <OpenButton onOpen={props.onOpen} />
        <IconButton size="s" label="Keys" shortcut="?" onPress={props.onHelp}>
          <CircleHelp size={15} aria-hidden />
        </IconButton>
        <IconButton size="s" label="Close the console" onPress={props.onClose}>
          <X size={15} aria-hidden />
        </IconButton>
      </div>
    </div>
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
