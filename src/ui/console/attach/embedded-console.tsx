// The console in another app's page, with its own styles, which also apply to the overlays it opens.
import { useState } from 'react'
import { UNSAFE_PortalProvider as PortalProvider } from 'react-aria/PortalProvider'
import '../../widgets/tokens.css'
import '../../widgets/base.css'
import { Console } from '../console.tsx'
import type { ChartroomConsoleProps } from './chartroom-console.tsx'

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

/**
 * React adds it to the head once, however many consoles there are. In the workbench it holds only a
 * placeholder: the app's own style sheets cover the console, and the page's policy would refuse it.
 */
export function EmbeddedStyles({ text }: { readonly text: string }) {
  if (!text.includes('{')) return null
  return (
    <style href="chartroom-console" precedence="medium">
      {text}
    </style>
  )
}

/**
 * Text of a style sheet scoped to the console. This is a placeholder that the package build replaces with all
 * style sheets the console imports.
 */
export const CONSOLE_STYLES: string = 'chartroom-console-styles'
