// Buttons over the diagram: zoom and fit.
import { Maximize, Minus, Plus } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { IconButton } from '../../widgets/button.tsx'
import styles from './diagram.module.css'
import { type DiagramView, ZOOM_STEP } from './use-diagram-view.ts'

const icon = { size: 14, 'aria-hidden': true } as const

export function DiagramTools({ view }: { readonly view: DiagramView }) {
  const { port, zoom, fitAll } = view
  const percent = useSyncExternalStore(port.subscribe, () => Math.round(port.view.scale * 100))
  return (
    <div className={styles.tools} role="group" aria-label="View">
      <IconButton size="s" label="Zoom out" shortcut="−" onPress={() => zoom(1 / ZOOM_STEP)}>
        <Minus {...icon} />
      </IconButton>
      <span className={styles.percent}>{percent} %</span>
      <IconButton size="s" label="Zoom in" shortcut="+" onPress={() => zoom(ZOOM_STEP)}>
        <Plus {...icon} />
      </IconButton>
      <IconButton size="s" label="Fit" shortcut="0" onPress={fitAll}>
        <Maximize {...icon} />
      </IconButton>
    </div>
  )
}
