// Dragging on the minimap: draws a range and reports it on release; a click selects a moment.
import { useRef, useState, type PointerEvent } from 'react'
import { type Range, type TimeScale, clamped } from '../canvas/time-scale.ts'

export interface BrushOptions {
  readonly scale: TimeScale
  readonly full: Range
  readonly range: Range | undefined
  readonly onRange: (range: Range | undefined) => void
  readonly onClick: (t: number) => void
}

/** A drag below this many pixels is a click. */
const SLOP = 3

interface Drag {
  readonly handle: DragHandle
  readonly x: number
  readonly t: number
  readonly before: Range
  isMoved: boolean
}

/** Returns handlers for the element, and the range while it is dragged. */
export function useBrush({ scale, full, range, onRange, onClick }: BrushOptions) {
  const drag = useRef<Drag>(undefined)
  const [draft, setDraft] = useState<Range>()
  const [handle, setHandle] = useState<DragHandle>('new')
  const placeOf = (event: PointerEvent) => event.clientX - event.currentTarget.getBoundingClientRect().left
  const handleOf = (x: number) => handleAt(x, range && [scale.x(range[0]), scale.x(range[1])])
  const handlers = {
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      const x = placeOf(event)
      drag.current = { handle: handleOf(x), x, t: scale.t(x), before: range ?? full, isMoved: false }
    },
    onPointerMove: (event: PointerEvent) => {
      const x = placeOf(event)
      const now = drag.current
      if (!now) return setHandle(handleOf(x))
      now.isMoved ||= Math.abs(x - now.x) >= SLOP
      if (now.isMoved) setDraft(dragged(now.handle, now.before, now.t, scale.t(x), full))
    },
    onPointerUp: () => {
      const now = drag.current
      drag.current = undefined
      setDraft(undefined)
      if (now && !now.isMoved) onClick(now.t)
      else if (draft && draft[1] > draft[0]) onRange(draft)
    },
    onPointerCancel: () => {
      drag.current = undefined
      setDraft(undefined)
    },
    onDoubleClick: () => onRange(undefined),
  }
  return { range: draft, handle, handlers }
}

/** The part that a drag holds. */
type DragHandle = 'new' | 'window' | 'from' | 'to'

/** Within this many pixels of an end, the drag holds that end. */
const NEAR = 5

/** Returns the part below the pointer. */
export function handleAt(x: number, ends: Range | undefined): DragHandle {
  if (!ends) return 'new'
  if (Math.abs(x - ends[0]) <= NEAR) return 'from'
  if (Math.abs(x - ends[1]) <= NEAR) return 'to'
  return x > ends[0] && x < ends[1] ? 'window' : 'new'
}

/** Returns the range after the pointer moved from one time to another. */
export function dragged(handle: DragHandle, before: Range, from: number, to: number, full: Range): Range {
  const inside = (t: number) => Math.min(full[1], Math.max(full[0], t))
  switch (handle) {
    case 'new':
      return sorted(inside(from), inside(to))
    case 'window':
      return clamped([before[0] + to - from, before[1] + to - from], full)
    case 'from':
      return sorted(inside(to), before[1])
    case 'to':
      return sorted(before[0], inside(to))
  }
}

const sorted = (a: number, b: number): Range => (a <= b ? [a, b] : [b, a])
