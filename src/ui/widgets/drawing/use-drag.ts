// Panning by dragging, and zooming by pinching.
import { useRef, type PointerEvent } from 'react'
import type { Point } from './geometry.ts'
import type { ViewPort } from './view-port.ts'

/** A movement below this many pixels is a click. */
const SLACK = 4

/** A view that the user moves. */
export interface DraggedView {
  readonly port: ViewPort
  /** Calls back as the user's own change of the view. */
  readonly take: (change: () => void) => void
}

/**
 * Returns handlers for a canvas: one pointer pans, two zoom; `onClick` receives elements that were pressed but not
 * dragged.
 */
export function useDrag({ port, take }: DraggedView, onClick: (target: Element) => void) {
  const pointers = useRef(new Map<number, Point>())
  const pressed = useRef<{ readonly target: Element; readonly at: Point; moved: boolean }>(undefined)
  const drag = (event: PointerEvent<HTMLElement>, before: Point, at: Point) => {
    const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1]
    if (!other) return take(() => port.move(minus(at, before)))
    const { left, top } = event.currentTarget.getBoundingClientRect()
    const middle = { x: (at.x + other.x) / 2 - left, y: (at.y + other.y) / 2 - top }
    const half = minus(at, before)
    take(() => {
      port.move({ x: half.x / 2, y: half.y / 2 })
      port.zoom(distance(at, other) / Math.max(1, distance(before, other)), middle)
    })
  }
  const end = (event: PointerEvent<HTMLElement>, isClick: boolean) => {
    pointers.current.delete(event.pointerId)
    delete event.currentTarget.dataset['dragging']
    const press = pressed.current
    pressed.current = undefined
    if (isClick && press && !press.moved) onClick(press.target)
  }
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0 || !(event.target instanceof Element)) return
      const at = { x: event.clientX, y: event.clientY }
      pointers.current.set(event.pointerId, at)
      pressed.current = { target: event.target, at, moved: pointers.current.size > 1 }
      event.currentTarget.setPointerCapture(event.pointerId)
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const before = pointers.current.get(event.pointerId)
      const press = pressed.current
      if (!before || !press) return
      const at = { x: event.clientX, y: event.clientY }
      if (!press.moved && distance(at, press.at) < SLACK) return
      press.moved = true
      event.currentTarget.dataset['dragging'] = ''
      drag(event, before, at)
      pointers.current.set(event.pointerId, at)
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => end(event, true),
    onPointerCancel: (event: PointerEvent<HTMLElement>) => end(event, false),
  }
}

const minus = (a: Point, b: Point): Point => ({ x: a.x - b.x, y: a.y - b.y })
const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y)
