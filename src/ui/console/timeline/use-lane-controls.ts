// Pointer and arrow keys in the timeline: details, selection, panning and zooming.
import { useEffect, useRef, useState, type PointerEvent, type KeyboardEvent, type RefObject } from 'react'
import type { Timeline } from '../../../trace/index.ts'
import { clamped, panned, zoomed, type Range, type TimeScale, revealing } from '../canvas/time-scale.ts'
import { type LaneList, ROW, RULER, type TimelinePlace } from './lanes.ts'

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

export interface Hit {
  readonly row: number
  readonly actor: number
  /** The nearest view if the pointer is on one, else the last one before. */
  readonly seq: number
  readonly isPoint: boolean
}

const NEAR = 5

/** `y` is in the canvas, of which `top` pixels are scrolled out above. */
export function hitAt(
  timeline: Timeline,
  { lanes }: LaneList,
  scale: TimeScale,
  { x, y, top }: { readonly x: number; readonly y: number; readonly top: number },
): Hit | undefined {
  const row = Math.floor((y - RULER + top) / ROW)
  const lane = y < RULER ? undefined : lanes[row]
  if (!lane) return undefined
  const { actor } = lane
  const before = timeline.lastOf(actor, timeline.countAt(scale.t(x)) - 1)
  const after = timeline.nextOf(actor, before)
  const away = (seq: number) => (seq < 0 ? Infinity : Math.abs(scale.x(timeline.t(seq)) - x))
  const nearest = away(after) < away(before) ? after : before
  if (away(nearest) <= NEAR) return { row, actor, seq: nearest, isPoint: true }
  const isLiving = before >= 0 && scale.t(x) <= timeline.lifeOf(actor).to
  return isLiving ? { row, actor, seq: before, isPoint: false } : undefined
}

interface LaneKeysOptions extends TimelinePlace {
  readonly list: LaneList
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly goTo: (range: Range) => void
  readonly toggle: (actor: number, isOpen: boolean) => void
  readonly onRecord: (seq: number) => void
  readonly onActor: (actor: number) => void
}

/** Returns the grid's key handler, and keeps the selection visible. */
export function useLaneKeys(options: LaneKeysOptions): (event: KeyboardEvent) => void {
  const { list, actor, scroller } = options
  const row = list.rowOf.get(actor)
  useEffect(() => {
    const element = scroller.current
    if (!element || row === undefined) return
    const [above, below] = [row * ROW, RULER + (row + 1) * ROW - element.clientHeight]
    if (element.scrollTop > above) element.scrollTo({ top: above })
    else if (element.scrollTop < below) element.scrollTo({ top: below })
  }, [row, scroller])
  return event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (!act(event, options, row)) return
    event.preventDefault()
    event.stopPropagation()
  }
}

function act({ key }: KeyboardEvent, options: LaneKeysOptions, row: number | undefined): boolean {
  const { timeline, list, seq, actor, range, full, goTo, toggle, onActor } = options
  const lane = row === undefined ? undefined : list.lanes[row]
  const toLane = (next: number) => {
    const found = list.lanes[Math.min(Math.max(0, next), list.lanes.length - 1)]
    if (found) onActor(found.actor)
  }
  const toRecord = (next: number) => {
    if (next < 0) return
    goTo(revealing(range, timeline.t(next), full))
    options.onRecord(next)
  }
  const steps = timeline.stepsOf(actor)
  const acts: Readonly<Record<string, () => void>> = {
    '0': () => goTo(full),
    Escape: () => goTo(full),
    ArrowUp: () => toLane((row ?? 1) - 1),
    ArrowDown: () => toLane((row ?? -1) + 1),
    ArrowLeft: () => toRecord(timeline.previous(seq)),
    ArrowRight: () => toRecord(timeline.nextOf(actor, seq)),
    Home: () => toRecord(steps[0] ?? -1),
    End: () => toRecord(steps.at(-1) ?? -1),
    Enter: () => lane && toggle(lane.actor, !lane.isOpen),
  }
  const found = acts[key]
  found?.()
  return found !== undefined
}
