// The docked console in the app, with a button that opens it in a separate window.
import { ExternalLink } from 'lucide-react'
import { useMemo } from 'react'
import { ToolButton } from '../../widgets/button.tsx'
import { driven, handOver } from '../drive/driven.ts'
import { Console } from '../console.tsx'
import type { ConsoleProps } from '../frame.tsx'
import { giveTabId, pageOf, windowName } from './tab-protocol.ts'

export interface DockedConsoleProps extends ConsoleProps {
  /** Called when the console moves to a window that belongs to the tab with this id. */
  readonly onDetach: (tab: string) => void
  /** URL of the console's own page on this origin; defaults to that of the workbench. */
  readonly page?: string
}

const SIZE = 'popup,width=1200,height=800'

/** Shows the console inside the app until it is moved to a window. */
export function DockedConsole({ onDetach, page, ...props }: DockedConsoleProps) {
  const { location, control } = props
  const button = useMemo(() => {
    const detach = () => {
      const tab = giveTabId(window)
      // If the browser blocks the window, the console stays where it is.
      if (window.open(pageOf(tab, location?.read(), page), windowName(tab), SIZE) === null) return
      const opening = control ? control.open() : Promise.resolve(undefined)
      void opening.then(opened => {
        if (opened) handOver(driven(opened))
        onDetach(tab)
      })
    }
    return (
      <ToolButton
        icon={ExternalLink}
        iconSize={14}
        label="Open the console in a separate window"
        onPress={detach}
      />
    )
  }, [onDetach, page, location, control])
  return <Console ownsPalette {...props} hostButtons={button} />
}
