// Drawers: panes without room for a column, opened above the middle from a rail at the left.
import { FileText, ListTree, X, type LucideIcon } from 'lucide-react'
import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react'
import { IconButton, ToolButton } from '../../widgets/button.tsx'
import styles from '../console.module.css'
import type { Big } from '../model/frame-layout.ts'
import type { Drawers } from './use-drawers.ts'

type RailPane = 'tree' | 'event'

/** The control panel has its own button in the toolbar. */
const RAIL: readonly (readonly [pane: RailPane, icon: LucideIcon, shortcut: string])[] = [
  ['tree', ListTree, 'T'],
  ['event', FileText, 'E'],
]

interface DrawerRailProps {
  readonly drawers: Drawers
  readonly titleOf: (pane: Big) => string
}

/** A button for each drawer. */
export function DrawerRail({ drawers, titleOf }: DrawerRailProps) {
  const { list, open, toggle } = drawers
  return (
    <div className={styles.rail} role="group" aria-label="Drawers">
      {RAIL.filter(([pane]) => list.includes(pane)).map(([pane, Icon, shortcut]) => (
        <IconButton
          key={pane}
          size="s"
          label={titleOf(pane)}
          shortcut={shortcut}
          isOn={open === pane}
          onPress={() => toggle(pane)}
        >
          <Icon size={15} aria-hidden />
        </IconButton>
      ))}
    </div>
  )
}

interface DrawerProps {
  readonly pane: Big
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
}

/** Takes the focus when it opens; Escape closes it. The control panel only closes with its own button. */
export function Drawer({ pane, title, onClose, children }: DrawerProps) {
  const drawer = useRef<HTMLDivElement>(null)
  const isOwn = pane === 'drive'
  useEffect(() => {
    if (!isOwn) drawer.current?.focus()
  }, [isOwn])
  const focusable = {
    tabIndex: -1,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || isOwn || event.defaultPrevented) return
      event.stopPropagation()
      onClose()
    },
  }
  return (
    <div
      ref={drawer}
      className={styles.drawer}
      data-pane={pane}
      role="group"
      aria-label={title}
      {...focusable}
    >
      {isOwn ? null : (
        <header className={styles.drawerHead} data-head>
          <h2>{title}</h2>
          <ToolButton icon={X} iconSize={14} label={`Close: ${title}`} onPress={onClose} />
        </header>
      )}
      <div className={styles.drawerBody}>{children}</div>
    </div>
  )
}
