// Lazy-loaded module with which the app talks to a console in a separate window.
import type { ConsoleRecording } from '../console-recording.ts'
import { linkTab, type TabLinkOptions } from './tab-link.ts'
import { openWire } from './tab-protocol.ts'

/** Links the recording to the window of the tab with this id; returns an unlink function. */
export function linkOwnWindow(
  tab: string,
  recording: ConsoleRecording,
  { onDock, onMoment, control }: Pick<TabLinkOptions, 'onDock' | 'onMoment' | 'control'>,
): () => void {
  const newId = () => window.crypto.getRandomValues(new Uint32Array(4)).join('-')
  const { leave, close } = linkTab({ recording, wire: openWire(tab), control, newId, onDock, onMoment })
  window.addEventListener('pagehide', leave)
  return () => {
    window.removeEventListener('pagehide', leave)
    close()
  }
}
