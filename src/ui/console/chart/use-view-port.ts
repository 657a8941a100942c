// The view onto a placed chart: the user's own, or one that keeps the active states visible.
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import { useMedia } from '../../widgets/use-media.ts'
import type { ChartActivity } from './chart-activity.ts'
import type { Box, Size } from './chart-geometry.ts'
import { FAR } from './far-names.ts'
import type { PlacedChart } from './placed-chart.ts'
import { useWheel } from '../../widgets/drawing/use-wheel.ts'
import { fit, ViewPort } from '../../widgets/drawing/view-port.ts'
import { clearOf, readable, TOOLS } from './view-port.ts'

interface Pane {
  readonly placed: PlacedChart
  readonly pane: Size
  readonly paneRef: RefObject<HTMLDivElement | null>
  /** The group that is moved. */
  readonly ground: RefObject<SVGGElement | null>
  readonly activity: ChartActivity
  /** Smallest scale at which all of it is shown; below, only the part around the active states. */
  readonly least: number
  /** Counts the requests to fit all of it. */
  readonly fitAsked: number
}

/** Below this scale only labels of possible transitions stand out. */
const DISTANT = 0.6
const NOWHERE: Box = { x: 0, y: 0, width: 0, height: 0 }

/** Returns a port onto the chart, the part to draw, and handlers for moving it. */
export function useViewPort({ placed, pane, paneRef, ground, activity, fitAsked, least }: Pane) {
  const [region, setRegion] = useState(NOWHERE)
  const [port] = useState(() => new ViewPort(setRegion))
  const [own, setOwn] = useState<PlacedChart>()
  const [shown, setShown] = useState(placed)
  if (shown !== placed) {
    // When returning to a layout, its old view is stale: another layout was shown in between.
    setShown(placed)
    setOwn(undefined)
  }
  const following = own !== placed
  const tools = useToolsHeight()
  useLayoutEffect(() => moveAlong(port, ground.current), [port, ground])
  useLayoutEffect(() => {
    const clear = clearOf(pane, tools)
    port.set(following ? readable(placed, clear, focusOf(placed, activity), least) : port.view, pane)
  }, [port, placed, pane, tools, activity, following, least])
  const take = (change: () => void) => {
    setOwn(placed)
    change()
  }
  const fitAll = () => take(() => port.set(fit(placed, clearOf(pane, tools))))
  useAsked(fitAsked, fitAll)
  const { width, height } = placed
  /** Draws everything at once, including what is outside the view. */
  const drawAll = () => flushSync(() => setRegion({ x: 0, y: 0, width, height }))
  useWheel(paneRef, '[data-chart-canvas]', (event, at) => {
    event.preventDefault()
    const by = { x: -event.deltaX, y: -event.deltaY }
    take(() => (event.ctrlKey || event.metaKey ? port.zoom(Math.exp(by.y / 200), at) : port.move(by)))
  })
  return { port, region, following, take, fitAll, drawAll, follow: () => setOwn(undefined) }
}

export type View = ReturnType<typeof useViewPort>

/** Moves a group of shapes along with the port. */
function moveAlong(port: ViewPort, ground: SVGGElement | null): () => void {
  const draw = () => {
    const { x, y, scale } = port.view
    if (!ground) return
    ground.style.transform = `translate(${x}px, ${y}px) scale(${scale})`
    ground.toggleAttribute('data-far', scale < FAR)
    ground.toggleAttribute('data-distant', scale < DISTANT)
  }
  draw()
  return port.subscribe(draw)
}

/** Returns the innermost active states, just-entered ones first. */
function focusOf({ boxes }: PlacedChart, { active, entered }: ChartActivity) {
  const isEntered = (path: string) => Number(entered.has(path))
  return boxes
    .filter(box => !box.isNested && active.has(box.state.path))
    .toSorted((a, b) => isEntered(b.state.path) - isEntered(a.state.path))
}

/** Calls back when a count increases. */
function useAsked(count: number, answer: () => void): void {
  const answered = useRef(count)
  const handle = useEffectEvent(answer)
  useEffect(() => {
    if (answered.current === count) return
    answered.current = count
    handle()
  }, [count])
}

/** Returns the height in pixels; changes with the pointer type. */
export function useToolsHeight(): number {
  return useMedia('(pointer: coarse)') ? TOOLS.coarse : TOOLS.fine
}
