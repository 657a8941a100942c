// The console: toolbar, actors, chart, log and the selected record, all at one position in the trace.
import { useState } from 'react'
import { CommandRegistry } from '../widgets/palette/registry.ts'
import { CommandsContext } from '../widgets/palette/use-commands.ts'
import { SECTIONS } from './commands/use-commands.ts'
import { Sandboxed } from './drive/sandboxed.tsx'
import { type ConsoleProps, Frame } from './frame.tsx'

/** Shows a live recording, or a trace file opened in it; fills the given height. */
export function Console(props: ConsoleProps) {
  const [registry] = useState(() => new CommandRegistry(SECTIONS))
  return (
    <CommandsContext value={registry}>
      <Sandboxed>
        {(view, onBranch, again, isSwitched) => (
          <Frame
            key={view ? 'sandbox' : 'live'}
            {...props}
            {...view}
            {...(again && { opens: again })}
            {...(isSwitched && { takesFocus: true })}
            onBranch={onBranch}
          />
        )}
      </Sandboxed>
    </CommandsContext>
  )
}
