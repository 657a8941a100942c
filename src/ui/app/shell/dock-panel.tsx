// Resizable panel for the console below the page; its height is stored.
import { useEffect, useMemo, useState, type ReactNode } from 'react'
import { Group, Panel, Separator, useDefaultLayout } from 'react-resizable-panels'
import { useMedia } from '../../widgets/use-media.ts'
import { reportHeight } from './report-height.ts'
import styles from './shell.module.css'

/** Minimum height in pixels for the console's toolbar and one view; narrow windows have a taller toolbar. */
const LEAST = 360
const LEAST_NARROW = 560
const NARROW = 640
/** Initial height in percent where the window is large enough. */
const FIRST = 52
/** Maximum initial height in percent, so that the page stays visible. */
const MOST = 78

/** Initial height in percent of the window: about half, or more in small windows. */
function firstSize({ innerWidth, innerHeight }: Window): string {
  const least = innerWidth < NARROW ? LEAST_NARROW : LEAST
  return String(Math.round(Math.min(Math.max(FIRST, (100 * least) / innerHeight), MOST)))
}

const reportConsole = reportHeight('--under')

/** Whether the console covers the page: by choice, and on phones unless it is restored. */
export function useFullSize() {
  const [chosen, choose] = useState<boolean>()
  const isPhone = useMedia(`(width < ${NARROW}px)`)
  const isOn = chosen ?? isPhone
  useEffect(() => {
    const page = document.getElementById('work')
    if (!page || !isOn) return
    page.inert = true
    return () => {
      page.inert = false
    }
  }, [isOn])
  return useMemo(() => ({ isOn, toggle: () => choose(!isOn) }), [isOn])
}

export interface DockPanelProps {
  /** Whether it covers the page. */
  readonly isFull: boolean
  readonly children: ReactNode
}

/**
 * Overlays the page with a transparent area. The page stays mounted in place, with everything typed into it,
 * while the console opens and closes.
 */
export function DockPanel({ isFull, children }: DockPanelProps) {
  const layout = useDefaultLayout({
    id: 'chartroom.ui.dock',
    panelIds: ['above', 'console'],
    onlySaveAfterUserInteractions: true,
  })
  return (
    <Group
      orientation="vertical"
      className={styles.dockPanels}
      data-full={isFull || undefined}
      defaultLayout={layout.defaultLayout}
      onLayoutChanged={layout.onLayoutChanged}
    >
      <Panel id="above" minSize="120px" />
      <Separator className={styles.separator} aria-label="Console height" />
      <Panel id="console" defaultSize={firstSize(window)} minSize="140px" className={styles.panel}>
        <section className={styles.console} data-own-keys ref={reportConsole}>
          {children}
        </section>
      </Panel>
    </Group>
  )
}
