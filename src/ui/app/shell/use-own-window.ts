// The console in a window of its own: which tab it belongs to, and the link to it while there is one.
import { useEffect, useState } from 'react'
import type { ControlHandle } from '../../../control.ts'
import type { PlaceParams } from '../../console/model/location.ts'
import type { Recording } from '../../../index.ts'

/** A tab whose console was put into a window bears this name, also after it was loaded anew. */
const NAMED = /^chartroom-tab-([\w-]{8,64})$/

/** Keeps the window supplied; `onDock` is called when it wants the console back in the app, at its place. */
export function useOwnWindow(
  recording: Recording | undefined,
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
      // The window says that the app does not answer.
      () => undefined,
    )
    return () => {
      current = false
      unlink()
    }
  }, [tab, recording, onDock, control])
  return setTab
}
