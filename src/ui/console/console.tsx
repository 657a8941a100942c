// The console: toolbar, actors, chart, log and the selected record, all on one cursor.
import { useState, type ReactNode } from 'react'
import type { MachineChart } from '../../trace/format.ts'
import { CommandRegistry } from '../widgets/palette/registry.ts'
import { CommandsContext } from '../widgets/palette/use-commands.ts'
import { SECTIONS } from './commands/command.ts'
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
  /** Absent where the console is all that there is. */
  readonly onClose?: (() => void) | undefined
  /** What its host adds to the end of the toolbar. */
  readonly hostButtons?: ReactNode
  /** Whether the focus comes along, so that the keys work at once. */
  readonly takesFocus?: boolean
  /** Whether Ctrl+K opens its palette from anywhere on the page. */
  readonly ownsPalette?: boolean
  /** Charts by machine id, for traces that bring none. */
  readonly machines?: Readonly<Record<string, MachineChart>>
  /** Where recordings are kept, if they are. */
  readonly store?: LoadStore
  /** Through which the live system is driven, if it can be. */
  readonly control?: DrivenBy
  /** Opened in the place of the recording as soon as it is another one. */
  readonly opens?: File
  /** Where the place is kept, as in the URL; nowhere unless told. Must stay the same object. */
  readonly location?: ConsoleLocation
}

/** Shows a live recording, or a trace file opened in it, in the height that it is given. */
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
