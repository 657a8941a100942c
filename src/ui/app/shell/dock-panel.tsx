// The console's room under the work: its height is changed by hand or by key, and kept.
import type { ReactNode } from 'react'
import { Group, Panel, Separator, useDefaultLayout } from 'react-resizable-panels'
import styles from './shell.module.css'

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

/** Tells the page how much of its foot the console takes: work and notices keep off it. */
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

/**
 * Lies over the work with a room that lets everything through, so that the work itself stays where it is in the
 * page, with all that is typed into it, while this comes and goes.
 */
export function DockPanel({ children }: { readonly children: ReactNode }) {
  const layout = useDefaultLayout({
    id: 'chartroom.ui.dock',
    panelIds: ['above', 'console'],
    onlySaveAfterUserInteractions: true,
  })
  return (
    <Group
      orientation="vertical"
      className={styles.dockPanels}
      defaultLayout={layout.defaultLayout}
      onLayoutChanged={layout.onLayoutChanged}
    >
      <Panel id="above" minSize="120px" />
      <Separator className={styles.separator} aria-label="Height of the console" />
      <Panel id="console" defaultSize={firstSize(window)} minSize="140px" className={styles.panel}>
        <section className={styles.console} data-own-keys ref={tellHeight}>
          {children}
        </section>
      </Panel>
    </Group>
  )
}
