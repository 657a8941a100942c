// The view onto the diagram: the whole drawing, until the user moves it.
import { useLayoutEffect, useState, useSyncExternalStore, type KeyboardEvent, type RefObject } from 'react'
import type { Box, Point, Size } from '../../widgets/drawing/geometry.ts'
import { useWheel } from '../../widgets/drawing/use-wheel.ts'
import { fit, ViewPort } from '../../widgets/drawing/view-port.ts'
import type { PlacedDiagram } from './diagram-layout.ts'

interface Options {
  readonly placed: PlacedDiagram
  readonly pane: Size
  readonly paneRef: RefObject<HTMLDivElement | null>
  /** The group that is moved. */
  readonly ground: RefObject<SVGGElement | null>
}

const NOWHERE: Box = { x: 0, y: 0, width: 0, height: 0 }
/** Below this scale only the names of tables are drawn. */
const FAR = 0.5
/** Scale of a table that is searched for. */
const NEAR = 0.9
/** Space for the tools and the legend. */
const EDGE = 44

const STEP = 60
const PANS: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: STEP, y: 0 },
  ArrowRight: { x: -STEP, y: 0 },
  ArrowUp: { x: 0, y: STEP },
  ArrowDown: { x: 0, y: -STEP },
}
export const ZOOM_STEP = 1.25
const ZOOMS: Readonly<Record<string, number>> = { '+': ZOOM_STEP, '=': ZOOM_STEP, '-': 1 / ZOOM_STEP }

const fitInside = (placed: Size, { width, height }: Size) => {
  const view = fit(placed, { width, height: height - 2 * EDGE })
  return { ...view, y: view.y + EDGE }
}

function moveAlong(port: ViewPort, ground: SVGGElement | null): () => void {
  const draw = () => {
    const { x, y, scale } = port.view
    if (ground) ground.style.transform = `translate(${x}px, ${y}px) scale(${scale})`
  }
  draw()
  return port.subscribe(draw)
}

/** Returns a port, the part to draw, and what moves the view. */
export function useDiagramView({ placed, pane, paneRef, ground }: Options) {
  const [region, setRegion] = useState(NOWHERE)
  const [port] = useState(() => new ViewPort(setRegion))
  const [moved, setMoved] = useState<PlacedDiagram>()
  const isFitted = moved !== placed
  const isFar = useSyncExternalStore(port.subscribe, () => port.view.scale < FAR)
  useLayoutEffect(() => moveAlong(port, ground.current), [port, ground])
  useLayoutEffect(() => {
    port.set(isFitted ? fitInside(placed, pane) : port.view, pane)
  }, [port, placed, pane, isFitted])
  const take = (change: () => void) => {
    setMoved(placed)
    change()
  }
  const zoom = (factor: number) => take(() => port.zoom(factor))
  const fitAll = () => {
    setMoved(undefined)
    port.set(fitInside(placed, pane))
  }
  const middleOf = ({ x, y, width, height }: Box): Point => ({ x: x + width / 2, y: y + height / 2 })
  const center = (box: Box) => take(() => port.center(middleOf(box), Math.max(port.view.scale, NEAR)))
  /** Moves the view only if the table is not inside. */
  const reveal = (box: Box) => {
    const { visible } = port
    const isInside =
      box.x >= visible.x &&
      box.y >= visible.y &&
      box.x + Math.min(box.width, visible.width) <= visible.x + visible.width &&
      box.y + Math.min(box.height, visible.height) <= visible.y + visible.height
    if (!isInside) take(() => port.center(middleOf(box)))
  }
  useWheel(paneRef, '[data-diagram]', (event, at) => {
    event.preventDefault()
    const by = { x: -event.deltaX, y: -event.deltaY }
    take(() => (event.ctrlKey || event.metaKey ? port.zoom(Math.exp(by.y / 200), at) : port.move(by)))
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const [pan, factor] = [PANS[event.key], ZOOMS[event.key]]
    if (pan !== undefined) take(() => port.move(pan))
    else if (factor !== undefined) zoom(factor)
    else if (event.key === '0') fitAll()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return { port, region, isFar, take, zoom, fitAll, center, reveal, onKeyDown }
}

export type DiagramView = ReturnType<typeof useDiagramView>
