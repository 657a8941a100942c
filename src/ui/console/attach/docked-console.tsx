// The console in the app, with the button that puts it into a window of its own.
import { ExternalLink } from 'lucide-react'
import { useMemo } from 'react'
import { IconButton } from '../../widgets/button.tsx'
import { driven } from '../drive/driven.ts'
import { Console, type ConsoleProps } from '../console.tsx'
import { handOver } from './hand-over.ts'
import { giveTabId, pageOf, windowName } from './tab-protocol.ts'

export interface DockedConsoleProps extends ConsoleProps {
  /** The console is shown in a window that belongs to the tab with this id. */
  readonly onDetach: (tab: string) => void
}

const SIZE = 'popup,width=1200,height=800'

/** Shows the console where it stands until it is put elsewhere. */
export function DockedConsole({ onDetach, ...props }: DockedConsoleProps) {
  const { location, control } = props
  const button = useMemo(() => {
    const detach = () => {
      const tab = giveTabId(window)
      // A browser that opens no windows leaves the console where it is.
      if (window.open(pageOf(tab, location?.read()), windowName(tab), SIZE) === null) return
      const opening = control ? control.open() : Promise.resolve(undefined)
      void opening.then(opened => {
        if (opened) handOver(driven(opened))
        onDetach(tab)
      })
    }
    return (
      <IconButton size="s" label="Show the console in a window of its own" onPress={detach}>
        <ExternalLink size={14} aria-hidden />
      </IconButton>
    )
  }, [onDetach, location, control])
  return <Console ownsPalette {...props} hostButtons={button} />
}
