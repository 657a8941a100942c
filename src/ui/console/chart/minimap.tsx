// The whole chart in small, where the pane does not show all of it; dragged, it moves the view.
import { useState, useSyncExternalStore, type PointerEvent } from 'react'
import type { ChartActivity } from './chart-activity.ts'
import type { PlacedChart } from './chart-layout.ts'
import styles from './chart.module.css'
import type { View } from './use-view-port.ts'

const MAX = { width: 168, height: 104 } as const
/** A chart that is very long or very high becomes a strip that can still be hit. */
const LEAST = 28
/** The outermost levels say where one is; more would be noise. */
const SMALLEST = 1.5

export interface MinimapProps {
  readonly placed: PlacedChart
  readonly view: View
  readonly activity: ChartActivity
}

/** For the pointer alone: keys and the outline lead everywhere too. */
export function Minimap({ placed, view: { port, take }, activity }: MinimapProps) {
  const { x, y, scale } = useSyncExternalStore(port.subscribe, () => port.view)
  const [isDown, setDown] = useState(false)
  const { width, height } = placed
  const { sight, pane } = port
  const showsAll =
    x >= -1 && y >= -1 && x + width * scale <= pane.width + 1 && y + height * scale <= pane.height + 1
  if (showsAll || pane.width < 420 || pane.height < 220) return null
  const small = Math.min(MAX.width / width, MAX.height / height)
  const [w, h] = [Math.max(LEAST, width * small), Math.max(LEAST, height * small)]
  const to = (event: PointerEvent<SVGSVGElement>) => {
    const { left, top } = event.currentTarget.getBoundingClientRect()
    take(() =>
      port.centre({ x: ((event.clientX - left) / w) * width, y: ((event.clientY - top) / h) * height }),
    )
  }
  return (
    <svg
      aria-hidden
      className={styles.minimap}
      width={w}
      height={h}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      onPointerDown={event => {
        event.currentTarget.setPointerCapture(event.pointerId)
        setDown(true)
        to(event)
      }}
      onPointerMove={event => isDown && to(event)}
      onPointerUp={() => setDown(false)}
    >
      {placed.boxes
        .filter(box => !box.isRoot && !box.isRegion && box.height * small > SMALLEST)
        .map(box => (
          <rect
            key={box.state.path}
            className={styles.miniState}
            data-active={activity.active.has(box.state.path) || undefined}
            data-nested={box.isNested || undefined}
            x={box.x}
            y={box.y}
            width={box.width}
            height={box.height}
            rx={6}
            vectorEffect="non-scaling-stroke"
          />
        ))}
      <rect
        className={styles.miniSight}
        x={sight.x}
        y={sight.y}
        width={sight.width}
        height={sight.height}
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  )
}
