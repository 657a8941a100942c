// The console under the work: loaded when it is first opened, resizable, its height kept.
import { use, type ReactNode } from 'react'
import { Group, Panel, Separator, useDefaultLayout } from 'react-resizable-panels'
import { ErrorBoundary } from '../../widgets/error-boundary.tsx'
import { ErrorState } from '../../widgets/state.tsx'
import { useClient } from '../../react.ts'
import { useClock } from '../hooks.ts'
import { lazyPart } from '../lazy-part.tsx'
import { ControlContext } from '../control-context.ts'
import { TraceStoreContext } from '../trace-store-context.ts'
import styles from './shell.module.css'
import type { ConsoleToggle } from './use-console-toggle.ts'

const Console = lazyPart('the console', async () => (await import('../../console/console.tsx')).Console)

function ConsoleFailed({ error }: { readonly error: Error }) {
  return (
    <ErrorState title="The console could not be shown">
      The app goes on without it, and recording with it. Reload the page to try again. ({error.message})
    </ErrorState>
  )
}

function Docked({ toggle }: { readonly toggle: ConsoleToggle }) {
  const { recording } = useClient()
  const now = useClock()
  const store = use(TraceStoreContext)
  const control = use(ControlContext)
  if (!recording) return null
  return (
    <ErrorBoundary fallback={ConsoleFailed}>
      <Console
        recording={recording}
        now={now}
        onClose={toggle.close}
        takesFocus={toggle.takesFocus}
        {...(store && { store })}
        {...(control && { control })}
      />
    </ErrorBoundary>
  )
}

/** `children` above, the console below while it is open. */
export function ConsoleDock({
  toggle,
  children,
}: {
  readonly toggle: ConsoleToggle
  readonly children: ReactNode
}) {
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
          <Panel id="console" defaultSize="50" minSize="140px" className={styles.panel}>
            <section className={styles.console}>
              <Docked toggle={toggle} />
            </section>
          </Panel>
        </>
      ) : null}
    </Group>
  )
}
