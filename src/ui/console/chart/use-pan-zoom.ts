// Pan and zoom by pointer, wheel and keys; follows the active states until the user takes over.
import {
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
} from 'react'
import type { ChartActivity } from './chart-activity.ts'
import type { PlacedChart, Point, StateBox } from './chart-layout.ts'
import { fit, readable, zoom, type Size, type ViewBox } from './view-box.ts'

const STEP = 40
const ARROWS: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: STEP, y: 0 },
  ArrowRight: { x: -STEP, y: 0 },
  ArrowUp: { x: 0, y: STEP },
  ArrowDown: { x: 0, y: -STEP },
}

interface Pane {
  readonly placed: PlacedChart
  readonly pane: Size
  readonly paneRef: RefObject<HTMLDivElement | null>
  readonly activity: ChartActivity
  /** Counts the requests to show all of it. */
  readonly fitAsked: number
}

/** The view over a placed chart: the user's own, else one that keeps the active states in sight. */
export function usePanZoom({ placed, pane, paneRef, activity, fitAsked }: Pane) {
  const [own, setOwn] = useState<{ placed: PlacedChart; view: ViewBox }>()
  const drag = useRef<Point>(undefined)
  const [answered, setAnswered] = useState(fitAsked)
  if (fitAsked !== answered) {
    setAnswered(fitAsked)
    setOwn({ placed, view: fit(placed, pane) })
  }
  const isEntered = (box: StateBox) => activity.entered.has(box.state.path)
  const focus = placed.boxes
    .filter(box => box.state.states.length === 0 && activity.active.has(box.state.path))
    .toSorted((a, b) => Number(isEntered(b)) - Number(isEntered(a)))
  const taken = own?.placed === placed ? own.view : undefined
  const view = taken ?? readable(placed, pane, focus)
  const take = (next: ViewBox) => setOwn({ placed, view: next })
  const move = (by: Point) => take({ ...view, x: view.x + by.x, y: view.y + by.y })
  const zoomBy = (factor: number, at?: Point) =>
    take(zoom(view, factor, at ?? { x: pane.width / 2, y: pane.height / 2 }))
  useWheel(paneRef, (event, at) => {
    event.preventDefault()
    if (event.ctrlKey || event.metaKey) zoomBy(Math.exp(-event.deltaY / 200), at)
    else move({ x: -event.deltaX, y: -event.deltaY })
  })
  const handlers = {
    onPointerDown: (event: PointerEvent<SVGSVGElement>) => {
      drag.current = { x: event.clientX, y: event.clientY }
      event.currentTarget.setPointerCapture(event.pointerId)
    },
    onPointerMove: (event: PointerEvent<SVGSVGElement>) => {
      if (!drag.current) return
      move({ x: event.clientX - drag.current.x, y: event.clientY - drag.current.y })
      drag.current = { x: event.clientX, y: event.clientY }
    },
    onPointerUp: () => {
      drag.current = undefined
    },
    onKeyDown: (event: KeyboardEvent<SVGSVGElement>) => {
      const by = ARROWS[event.key]
      if (by) move(by)
      else if (event.key === '+' || event.key === '-') zoomBy(event.key === '+' ? 1.25 : 0.8)
      else return
      event.preventDefault()
    },
  }
  return {
    handlers,
    following: taken === undefined,
    zoomBy,
    fitAll: () => take(fit(placed, pane)),
    transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})`,
  }
}

/** React's wheel listeners are passive; this one may keep the page from scrolling. */
function useWheel(
  paneRef: RefObject<HTMLDivElement | null>,
  onWheel: (event: WheelEvent, at: Point) => void,
): void {
  const handle = useEffectEvent(onWheel)
  useEffect(() => {
    const pane = paneRef.current
    if (!pane) return
    const listen = (event: WheelEvent) => {
      const { left, top } = pane.getBoundingClientRect()
      handle(event, { x: event.clientX - left, y: event.clientY - top })
    }
    pane.addEventListener('wheel', listen, { passive: false })
    return () => pane.removeEventListener('wheel', listen)
  }, [paneRef])
}
