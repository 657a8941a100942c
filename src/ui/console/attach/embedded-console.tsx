// The console in another app's page: with its own styles, and what it opens above the page within their reach.
import { useState } from 'react'
import { UNSAFE_PortalProvider as PortalProvider } from 'react-aria/PortalProvider'
import '../../tokens.css'
import '../../base.css'
import { Console } from '../console.tsx'
import type { ChartroomConsoleProps } from './chartroom-console.tsx'
import { CONSOLE_STYLES } from './embedded-styles.ts'

const now = () => Number(document.timeline.currentTime)

/** React puts the styles into the head once, however many consoles there are. */
export function EmbeddedConsole({ theme = 'system', ...props }: ChartroomConsoleProps) {
  const [above, setAbove] = useState<HTMLElement | null>(null)
  const themed = theme === 'system' ? {} : { 'data-theme': theme }
  return (
    <div className="chartroom" {...themed} style={{ height: '100%' }}>
      <style href="chartroom-console" precedence="medium">
        {CONSOLE_STYLES}
      </style>
      <PortalProvider getContainer={() => above}>
        <Console {...props} now={now} />
      </PortalProvider>
      <div ref={setAbove} className="chartroom" {...themed} style={{ display: 'contents' }} />
    </div>
  )
}
