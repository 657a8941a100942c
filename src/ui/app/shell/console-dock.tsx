// The console below the page: loads on first use.
import { use, useCallback, useEffect, type ReactNode, useState } from 'react'
import type { PlaceParams } from '../../console/index.ts'
import { useClient } from '../../react/index.ts'
import { Skeleton } from '../../widgets/state.tsx'
import { ControlContext } from '../control-context.ts'
import { lazyPart } from '../lazy-part.tsx'
import { useConsoleJump } from '../requests/console-jump.ts'
import { RouterContext } from '../lazy-router.ts'
import { useWorkRecordings, workRecordings } from '../work-recordings.ts'
import { consoleLocation } from './console-location.ts'
import type { DockedProps } from './docked.tsx'
import styles from './shell.module.css'
import type { ConsoleToggle } from './use-console-toggle.ts'
import type { ControlHandle } from '../../../services/control/index.ts'
import type { ClientRecording } from '../../../services/client/index.ts'

/** Window name of a tab whose console is in a separate window; it survives a reload. */
const NAMED = /^chartroom-tab-([\w-]{8,64})$/

/** Keeps the window connected; calls `onDock` with the location when the console moves back into the app. */
function useOwnWindow(
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

const Docked = lazyPart<DockedProps>(
  'the console',
  async () => (await import('../router.tsx')).loadDocked(),
  {
    whileLoading: <DockLoading />,
    giveUp: ({ toggle }) => toggle.close(),
  },
)

/** Placeholder while it loads. */
function DockLoading() {
  return (
    <section className={styles.dockLoading}>
      <Skeleton label="Loading the console" />
    </section>
  )
}

/** Renders `children` above and the console below while it is open. */
export function ConsoleDock({
  toggle,
  children,
}: {
  readonly toggle: ConsoleToggle
  readonly children: ReactNode
}) {
  const client = useClient()
  const { recording } = client
  const { show } = workRecordings(client)
  const { shown } = useWorkRecordings(client)
  const control = use(ControlContext)
  const router = use(RouterContext)
  const { open, close } = toggle
  useEffect(() => {
    if (shown) open()
  }, [shown, open])
  // The console's location belongs to the client's recording.
  useConsoleJump(
    useCallback(() => {
      show(undefined)
      open()
    }, [show, open]),
  )
  const dock = useCallback(
    (at: PlaceParams) =>
      router.whenThere(there => {
        consoleLocation(there).write(at, 'replace')
        open()
      }),
    [router, open],
  )
  const link = useOwnWindow(recording, dock, control)
  const detach = useCallback(
    (tab: string) => {
      link(tab)
      close()
    },
    [link, close],
  )
  return (
    <div className={styles.dock}>
      <div id="work" className={styles.docked}>
        {children}
      </div>
      {toggle.isOpen ? <Docked toggle={toggle} onDetach={detach} /> : null}
    </div>
  )
}
