// The console's own page at the address of another app: shows the recording of the tab that opened it.
import { createRoot } from 'react-dom/client'
import { EmbeddedFrame } from './embedded-frame.tsx'
import { OwnWindow } from './own-window.tsx'
import { fromApp } from './tab-messages.ts'
import { openWire, tabOf } from './tab-protocol.ts'

/** Fills the element. */
export function mountWindowPage(place: HTMLElement): void {
  const tab = tabOf(window.location.hash)
  // No strict mode: listening twice would make an app send everything twice.
  createRoot(place).render(
    <EmbeddedFrame>
      {tab === undefined ? (
        <p role="status" style={{ padding: 16 }}>
          This page shows the console of an app. Open it with the button in that console.
        </p>
      ) : (
        <OwnWindow connect={() => openWire(tab, fromApp)} canDock />
      )}
    </EmbeddedFrame>,
  )
}
