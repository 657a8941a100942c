// The console in a separate window: remembers the tab it belongs to and keeps the link between them.
import { useEffect, useState } from 'react'
import type { ControlHandle } from '../../../services/control/index.ts'
import type { PlaceParams } from '../../console/index.ts'
import type { ClientRecording } from '../../../services/client/index.ts'

/** Window name of a tab whose console is in a separate window; it survives a reload. */
const NAMED = /^chartroom-tab-([\w-]{8,64})$/

/** Keeps the window connected; calls `onDock` with the location when the console moves back into the app. */
export function useOwnWindow(
  recording: ClientRecording | undefined,
  onDock: (at: PlaceParams) => void,
  control?: ControlHandle,
): (tab: string) => void {
  const [tab, setTab] = useState(() => NAMED.exec(window.name)?.[1])
  useEffect(() => {
    if (tab === undefined || !recording) return
    let current = true
    let unlink = () => undefined as void
    import('../../console/attach/link.ts').then(
      ({ linkOwnWindow }) => {
        if (current) unlink = linkOwnWindow(tab, recording, onDock, control)
      },
      // The window shows that the app is not responding.
      () => undefined,
    )
    return () => {
      current = false
      unlink()
    }
  }, [tab, recording, onDock, control])
  return setTab
}
