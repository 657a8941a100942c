// A part of another app's page that has the console's styles, which also apply to the overlays opened in it.
import { useState, type ReactNode } from 'react'
import { UNSAFE_PortalProvider as PortalProvider } from 'react-aria/PortalProvider'
import '../../widgets/tokens.css'
import '../../widgets/base.css'
import { CONSOLE_STYLES, EmbeddedStyles } from './embedded-styles.tsx'

export interface EmbeddedFrameProps {
  /** Defaults to the operating system's theme. */
  readonly theme?: 'system' | 'light' | 'dark' | undefined
  readonly children: ReactNode
}

/** Fills its container. */
export function EmbeddedFrame({ theme = 'system', children }: EmbeddedFrameProps) {
  const [above, setAbove] = useState<HTMLElement | null>(null)
  const themed = theme === 'system' ? {} : { 'data-theme': theme }
  return (
    <div className="chartroom" {...themed} style={{ height: '100%' }}>
      <EmbeddedStyles text={CONSOLE_STYLES} />
      <PortalProvider getContainer={() => above}>{children}</PortalProvider>
      <div ref={setAbove} className="chartroom" {...themed} style={{ display: 'contents' }} />
    </div>
  )
}
