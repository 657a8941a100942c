// The console: toolbar, actors, chart, log and the selected record, all at one position in the trace.
import { useState, type ReactNode } from 'react'
import type { MachineChart } from '../../trace/index.ts'
import { CommandRegistry } from '../widgets/palette/registry.ts'
import { CommandsContext } from '../widgets/palette/use-commands.ts'
import { SECTIONS } from './commands/use-commands.ts'
import type { ConsoleRecording } from './console-recording.ts'
import type { DrivenBy } from './drive/driven.ts'
import { Sandboxed } from './drive/sandboxed.tsx'
import type { LoadStore } from './file/earlier-recordings.tsx'
import { Frame } from './frame.tsx'
import type { ConsoleLocation } from './model/location.ts'

export interface ConsoleProps {
  readonly recording: ConsoleRecording
  /** Milliseconds on the recorded client's monotonic clock. */
  readonly now: () => number
  /** Undefined if the console is the whole page. */
  readonly onClose?: (() => void) | undefined
  /** Content that the host adds to the end of the toolbar. */
  readonly hostButtons?: ReactNode
  /** Whether the console takes the focus on mount, so that its keys work immediately. */
  readonly takesFocus?: boolean
  /** Whether Ctrl+K opens its palette from anywhere on the page. */
  readonly ownsPalette?: boolean
  /** Charts by machine id, for traces without charts. */
  readonly machines?: Readonly<Record<string, MachineChart>>
  /** Loads the recording store, if there is one. */
  readonly store?: LoadStore
  /** Control of the live system, if available. */
  readonly control?: DrivenBy
  /** A file to open instead of the recording; opened again when it changes. */
  readonly opens?: File
  /** Where the place is stored, such as the URL; defaults to nowhere. Must stay the same object. */
  readonly location?: ConsoleLocation
}

/** Shows a live recording, or a trace file opened in it; fills the given height. */
export function Console(props: ConsoleProps) {
  const [registry] = useState(() => new CommandRegistry(SECTIONS))
  return (
    <CommandsContext value={registry}>
      <Sandboxed>
        {(view, onBranch, again) => (
          <Frame
            key={view ? 'sandbox' : 'live'}
            {...props}
            {...view}
            {...(again && { opens: again })}
            onBranch={onBranch}
          />
        )}
      </Sandboxed>
    </CommandsContext>
  )
}
