// Links the client to its console in a separate window, and follows the moments that the window shows.
import type { ChartroomClient } from '../../../services/client/index.ts'
import type { ControlHandle } from '../../../services/control/index.ts'
import { linkOwnWindow } from '../../console/attach/link.ts'
import type { LazyRouter } from '../lazy-router.ts'
import { consoleLocation } from '../shell/console-location.ts'
import { followPast } from './follow-past.tsx'

export interface LinkedConsole {
  readonly client: ChartroomClient
  readonly control: ControlHandle | undefined
  readonly router: LazyRouter
  /** Opens the console in the app. */
  readonly open: () => void
}

/** Links the window of the tab with this id; returns an unlink function. */
export function linkConsole(tab: string, { client, control, router, open }: LinkedConsole): () => void {
  const { recording } = client
  if (!recording) return () => undefined
  return linkOwnWindow(tab, recording, {
    control,
    onMoment: followPast(client),
    onDock: at =>
      router.whenThere(there => {
        consoleLocation(there).write(at, 'replace')
        open()
      }),
  })
}
