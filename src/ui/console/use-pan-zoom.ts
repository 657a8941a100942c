// Pan and zoom by pointer, wheel and keys; follows the active states until the user takes over.
import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import type { PlacedChart, Point } from './chart-layout.ts'
import { usePaneSize } from './use-pane-size.ts'
import { around, fit, readable, reveal, zoom, type ViewBox } from './view-box.ts'

const STEP = 40
const ARROWS: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: STEP, y: 0 },
  ArrowRight: { x: -STEP, y: 0 },
  ArrowUp: { x: 0, y: STEP },
  ArrowDown: { x: 0, y: -STEP },
}

/** The view over a placed chart. `fitAsked` counts requests to show all of it. */
export function usePanZoom(placed: PlacedChart, active: ReadonlySet<string>, fitAsked: number) {
  const [paneRef, pane] = usePaneSize()
  const [own, setOwn] = useState<{ placed: PlacedChart; view: ViewBox; fitAsked: number }>()
  const drag = useRef<Point>(undefined)
  const taken = own?.placed === placed && own.fitAsked === fitAsked ? own.view : undefined
  const focus = around(
    placed.boxes.filter(box => box.state.states.length === 0 && active.has(box.state.path)),
  )
  const followed = useRef<ViewBox>(undefined)
  const view = taken ?? following()
  followed.current = view
  function following(): ViewBox {
    if (fitAsked > 0 && own?.fitAsked !== fitAsked) return fit(placed, pane)
    const base = readable(placed, pane, focus)
    const last = followed.current
    return last && last.scale === base.scale && focus ? reveal(last, placed, pane, focus) : base
  }
  const take = (next: ViewBox) => setOwn({ placed, view: next, fitAsked })
  const move = (by: Point) => take({ ...view, x: view.x + by.x, y: view.y + by.y })
  const zoomBy = (factor: number, at?: Point) =>
    take(zoom(view, factor, at ?? { x: pane.width / 2, y: pane.height / 2 }))
  useWheel(paneRef.current, (event, at) => {
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
    paneRef,
    handlers,
    zoomBy,
    fitAll: () => take(fit(placed, pane)),
    transform: `translate(${view.x} ${view.y}) scale(${view.scale})`,
  }
}

/** React's wheel listeners are passive; this one may keep the page from scrolling. */
function useWheel(pane: HTMLElement | null, onWheel: (event: WheelEvent, at: Point) => void): void {
  const latest = useRef(onWheel)
  latest.current = onWheel
  useEffect(() => {
    if (!pane) return
    const listen = (event: WheelEvent) => {
      const { left, top } = pane.getBoundingClientRect()
      latest.current(event, { x: event.clientX - left, y: event.clientY - top })
    }
    pane.addEventListener('wheel', listen, { passive: false })
    return () => pane.removeEventListener('wheel', listen)
  }, [pane])
}
