// Pointer control of the timeline: hover shows details, click selects, drag pans, and Ctrl+wheel zooms.
import { useEffect, useRef, useState, type PointerEvent } from 'react'
import type { Timeline } from '../../../trace/index.ts'
import { clamped, panned, zoomed, type Range, type TimeScale } from '../canvas/time-scale.ts'
import { hitAt, type Hit } from './hit.ts'
import type { LaneList } from './lanes.ts'

export interface LanePointerOptions {
  readonly timeline: Timeline
  readonly list: LaneList
  readonly scale: TimeScale
  readonly full: Range
  readonly top: number
  readonly goTo: (range: Range) => void
  readonly onRecord: (seq: number) => void
}

/** The hovered element and its position in the window. */
export interface Hover extends Hit {
  readonly x: number
  readonly y: number
}

const SLOP = 3

export function useLanePointer(options: LanePointerOptions) {
  const { timeline, list, scale, full, top, goTo, onRecord } = options
  const [hover, setHover] = useState<Hover>()
  const drag = useRef<{ readonly x: number; readonly range: Range; isMoved: boolean }>(undefined)
  const target = useRef<HTMLElement>(null)
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  // React's wheel listeners are passive and cannot prevent page zoom.
  const onWheel = useRef((event: WheelEvent) => {
    const now = latest.current
    const sideways = event.shiftKey ? event.deltaY : event.deltaX
    if (!event.ctrlKey && !event.metaKey && Math.abs(sideways) <= Math.abs(event.shiftKey ? 0 : event.deltaY))
      return
    event.preventDefault()
    if (!event.ctrlKey && !event.metaKey)
      return now.goTo(panned(now.scale.range, sideways / now.scale.width, now.full))
    const x = event.clientX - (target.current?.getBoundingClientRect().left ?? 0)
    now.goTo(zoomed(now.scale.range, now.scale.t(x), Math.exp(event.deltaY / 300), now.full))
  })
  const place = (event: PointerEvent) => {
    const box = event.currentTarget.getBoundingClientRect()
    return { x: event.clientX - box.left, y: event.clientY - box.top, top }
  }
  const handlers = {
    onPointerEnter: ({ currentTarget }: PointerEvent<HTMLElement>) => {
      target.current = currentTarget
      currentTarget.addEventListener('wheel', onWheel.current, { passive: false })
    },
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      drag.current = { x: event.clientX, range: scale.range, isMoved: false }
    },
    onPointerMove: (event: PointerEvent) => {
      const now = drag.current
      const hit = now?.isMoved ? undefined : hitAt(timeline, list, scale, place(event))
      setHover(hit && { ...hit, x: event.clientX, y: event.clientY })
      if (!now) return
      const away = event.clientX - now.x
      now.isMoved ||= Math.abs(away) >= SLOP
      const by = -away * scale.perPixel
      if (now.isMoved) goTo(clamped([now.range[0] + by, now.range[1] + by], full))
    },
    onPointerUp: (event: PointerEvent) => {
      const wasMoved = drag.current?.isMoved
      drag.current = undefined
      const hit = wasMoved ? undefined : hitAt(timeline, list, scale, place(event))
      if (hit) onRecord(hit.seq)
    },
    onPointerLeave: () => setHover(undefined),
    onPointerCancel: () => {
      drag.current = undefined
      setHover(undefined)
    },
  }
  return { hover, handlers }
}
