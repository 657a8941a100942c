// The console under the work: loaded when it is first opened, resizable, its height kept.
import { use, useCallback, type ReactNode } from 'react'
import { Group, Panel, Separator, useDefaultLayout } from 'react-resizable-panels'
import { ErrorBoundary } from '../../widgets/error-boundary.tsx'
import { ErrorState } from '../../widgets/state.tsx'
import type { PlaceParams } from '../../console/model/location.ts'
import { useClient } from '../../react.ts'
import { useClock } from '../hooks.ts'
import { lazyPart } from '../lazy-part.tsx'
import { useConsoleJump } from '../requests/console-jump.ts'
import { ControlContext } from '../control-context.ts'
import { TraceStoreContext } from '../trace-store-context.ts'
import styles from './shell.module.css'
import { useConsoleLocation } from './use-console-location.ts'
import type { ConsoleToggle } from './use-console-toggle.ts'
import { useOwnWindow } from './use-own-window.ts'

const Console = lazyPart(
  'the console',
  async () => (await import('../../console/attach/docked-console.tsx')).DockedConsole,
)

function ConsoleFailed({ error }: { readonly error: Error }) {
  return (
    <ErrorState title="The console could not be shown">
      The app goes on without it, and recording with it. Reload the page to try again. ({error.message})
    </ErrorState>
  )
}

interface DockedProps {
  readonly toggle: ConsoleToggle
  readonly onDetach: (tab: string) => void
}

function Docked({ toggle, onDetach }: DockedProps) {
  const { recording } = useClient()
  const now = useClock()
  const store = use(TraceStoreContext)
  const location = useConsoleLocation()
  const control = use(ControlContext)
  if (!recording) return null
  return (
    <ErrorBoundary fallback={ConsoleFailed}>
      <Console
        recording={recording}
        now={now}
        onClose={toggle.close}
        onDetach={onDetach}
        takesFocus={toggle.takesFocus}
        location={location}
        {...(store && { store })}
        {...(control && { control })}
      />
    </ErrorBoundary>
  )
}

/** Pixels in which the console's toolbar and one of its views have room; where it is narrow the toolbar has lines. */
const LEAST = 360
const LEAST_NARROW = 560
const NARROW = 640
/** Percent that it takes at most by itself: it is beside the work, not in its place. */
const MOST = 78

/** How much of the window the console takes when it is first opened, in percent: half, more of a small one. */
function firstSize({ innerWidth, innerHeight }: Window): string {
  const least = innerWidth < NARROW ? LEAST_NARROW : LEAST
  return String(Math.round(Math.min(Math.max(50, (100 * least) / innerHeight), MOST)))
}

/** Tells the page how much of its foot the console takes, so that notices keep off it. */
function tellHeight(dock: HTMLElement | null): (() => void) | undefined {
  if (!dock) return undefined
  const { style } = document.documentElement
  const watch = new ResizeObserver(() => style.setProperty('--under', `${dock.offsetHeight}px`))
  watch.observe(dock)
  return () => {
    watch.disconnect()
    style.removeProperty('--under')
  }
}

/** `children` above, the console below while it is open. */
export function ConsoleDock({
  toggle,
  children,
}: {
  readonly toggle: ConsoleToggle
  readonly children: ReactNode
}) {
  const { recording } = useClient()
  const control = use(ControlContext)
  const location = useConsoleLocation()
  const { open, close } = toggle
  useConsoleJump(open)
  const dock = useCallback(
    (at: PlaceParams) => {
      location.write(at, 'replace')
      open()
    },
    [location, open],
  )
  const link = useOwnWindow(recording, dock, control)
  const detach = useCallback(
    (tab: string) => {
      link(tab)
      close()
    },
    [link, close],
  )
  const layout = useDefaultLayout({
    id: 'chartroom.ui.dock',
    panelIds: toggle.isOpen ? ['work', 'console'] : ['work'],
    onlySaveAfterUserInteractions: true,
  })
  return (
    <Group
      orientation="vertical"
      className={styles.dock}
      defaultLayout={layout.defaultLayout}
      onLayoutChanged={layout.onLayoutChanged}
    >
      <Panel id="work" minSize="120px" className={styles.panel}>
        {children}
      </Panel>
      {toggle.isOpen ? (
        <>
          <Separator className={styles.separator} aria-label="Height of the console" />
          <Panel id="console" defaultSize={firstSize(window)} minSize="140px" className={styles.panel}>
            <section className={styles.console} data-own-keys ref={tellHeight}>
              <Docked toggle={toggle} onDetach={detach} />
            </section>
          </Panel>
        </>
      ) : null}
    </Group>
  )
}
