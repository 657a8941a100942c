// The console in another app's page, with its own styles, which also apply to the overlays it opens.
import { useState } from 'react'
import { UNSAFE_PortalProvider as PortalProvider } from 'react-aria/PortalProvider'
import '../../widgets/tokens.css'
import '../../widgets/base.css'
import { Console } from '../console.tsx'
import type { ChartroomConsoleProps } from './chartroom-console.tsx'
import { CONSOLE_STYLES, EmbeddedStyles } from './embedded-styles.tsx'

const now = () => Number(document.timeline.currentTime)

export function EmbeddedConsole({ theme = 'system', ...props }: ChartroomConsoleProps) {
  const [above, setAbove] = useState<HTMLElement | null>(null)
  const themed = theme === 'system' ? {} : { 'data-theme': theme }
  return (
    <div className="chartroom" {...themed} style={{ height: '100%' }}>
      <EmbeddedStyles text={CONSOLE_STYLES} />
      <PortalProvider getContainer={() => above}>
        <Console {...props} now={now} />
      </PortalProvider>
      <div ref={setAbove} className="chartroom" {...themed} style={{ display: 'contents' }} />
    </div>
  )
}
