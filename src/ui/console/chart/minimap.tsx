// A small map of the whole chart, shown if the pane does not fit all of it; dragging moves the view.
import { memo, useLayoutEffect, useRef, useState, useSyncExternalStore, type PointerEvent } from 'react'
import type { ChartActivity } from './chart-activity.ts'
import type { PlacedChart } from './placed-chart.ts'
import styles from './chart.module.css'
import type { View } from './use-view-port.ts'
import type { ViewPort } from '../../widgets/drawing/view-port.ts'

const MAX = { width: 168, height: 104 } as const
/** A very wide or tall chart becomes a strip that is still large enough to click. */
const LEAST = 28
/** Smaller shapes would be visual noise. */
const SMALLEST = 1.5
/** Minimum pane size for a map. */
const ROOM = { width: 560, height: 320 } as const

export interface MinimapProps {
  readonly placed: PlacedChart
  readonly view: View
  readonly activity: ChartActivity
}

/** Pointer only: keys and the outline reach everything as well. */
export function Minimap({ placed, view: { port, take }, activity }: MinimapProps) {
  const isNeeded = useSyncExternalStore(port.subscribe, () => hasRoom(port) && !showsAll(port, placed))
  const [isDown, setDown] = useState(false)
  const { width, height } = placed
  if (!isNeeded) return null
  const small = Math.min(MAX.width / width, MAX.height / height)
  const [w, h] = [Math.max(LEAST, width * small), Math.max(LEAST, height * small)]
  const to = (event: PointerEvent<SVGSVGElement>) => {
    const { left, top } = event.currentTarget.getBoundingClientRect()
    take(() =>
      port.center({ x: ((event.clientX - left) / w) * width, y: ((event.clientY - top) / h) * height }),
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
      <States placed={placed} activity={activity} least={SMALLEST / small} />
      <ViewportFrame port={port} />
    </svg>
  )
}

const hasRoom = ({ pane }: ViewPort) => pane.width >= ROOM.width && pane.height >= ROOM.height

function showsAll({ visible }: ViewPort, { width, height }: PlacedChart): boolean {
  const [x, y] = [visible.x + visible.width, visible.y + visible.height]
  return visible.x <= 1 && visible.y <= 1 && x >= width - 1 && y >= height - 1
}

interface StatesProps {
  readonly placed: PlacedChart
  readonly activity: ChartActivity
  readonly least: number
}

const States = memo(function States({ placed, activity, least }: StatesProps) {
  return placed.boxes
    .filter(box => !box.isRoot && !box.isRegion && box.height > least)
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
    ))
})

/** The visible part; moves without rerendering. */
function ViewportFrame({ port }: { readonly port: ViewPort }) {
  const shape = useRef<SVGRectElement>(null)
  useLayoutEffect(() => {
    const draw = () => {
      for (const [name, value] of Object.entries(port.visible))
        shape.current?.setAttribute(name, String(value))
    }
    draw()
    return port.subscribe(draw)
  }, [port])
  return <rect ref={shape} className={styles.miniSight} vectorEffect="non-scaling-stroke" />
}
