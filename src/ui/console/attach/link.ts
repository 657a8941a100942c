// Lazy-loaded module with which the app talks to a console in a separate window.
import type { ConsoleRecording } from '../console-recording.ts'
import type { PlaceParams } from '../model/location.ts'
import type { Systems } from './systems.ts'
import { linkSystems } from './systems-link.ts'
import { fromWindow } from './tab-messages.ts'
import { type AppWire, linkTab, type TabLinkOptions } from './tab-link.ts'
import { openWire } from './tab-protocol.ts'

const newId = () => window.crypto.getRandomValues(new Uint32Array(4)).join('-')

/** Links the recording to the window of the tab with this id; returns an unlink function. */
export function linkOwnWindow(
  tab: string,
  recording: ConsoleRecording,
  { onDock, onMoment, control }: Pick<TabLinkOptions, 'onDock' | 'onMoment' | 'control'>,
): () => void {
  const { leave, close } = linkTab({
    recording,
    wire: openWire(tab, fromWindow),
    control,
    newId,
    onDock,
    onMoment,
  })
  window.addEventListener('pagehide', leave)
  return () => {
    window.removeEventListener('pagehide', leave)
    close()
  }
}

/** The same for a page with several systems. */
export function linkOwnWindowTo(
  tab: string,
  systems: Systems,
  onDock: (at: PlaceParams) => void,
): () => void {
  return linkSystems({ systems, wire: openWire(tab, fromWindow), newId, onDock })
}

/** The same over another wire, to a console that cannot be docked. */
export function linkOver(wire: AppWire, systems: Systems): () => void {
  return linkSystems({ systems, wire, newId, onDock: () => undefined })
}
