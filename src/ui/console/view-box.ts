// Pan and zoom over a drawing, as plain arithmetic.
import type { Box, Point } from './chart-layout.ts'

/** Where the drawing lies in its pane: `screen = offset + scale × drawing`. */
export interface ViewBox extends Point {
  readonly scale: number
}

export interface Size {
  readonly width: number
  readonly height: number
}

const MIN_SCALE = 0.15
const MAX_SCALE = 3
/** Below this the texts can't be read; a bigger chart is then shown in part. */
export const READABLE_SCALE = 0.75
/** How far a partial view may shrink to hold all active states at once. */
const LEAST_READABLE_SCALE = 0.55
const MARGIN = 8

/** The whole drawing, centred, never enlarged. */
export function fit(drawing: Size, pane: Size): ViewBox {
  const scale = Math.min(
    1,
    (pane.width - 2 * MARGIN) / Math.max(1, drawing.width),
    (pane.height - 2 * MARGIN) / Math.max(1, drawing.height),
  )
  return centred(drawing, pane, Math.max(MIN_SCALE, scale))
}

function centred(drawing: Size, pane: Size, scale: number): ViewBox {
  return {
    scale,
    x: (pane.width - drawing.width * scale) / 2,
    y: (pane.height - drawing.height * scale) / 2,
  }
}

/** The whole drawing where it stays readable; otherwise the part around `focus`, filling the pane. */
export function readable(drawing: Size, pane: Size, focus: Box | undefined): ViewBox {
  const whole = fit(drawing, pane)
  if (whole.scale >= READABLE_SCALE || !focus) return whole
  const room = Math.min((pane.width - 4 * MARGIN) / focus.width, (pane.height - 4 * MARGIN) / focus.height)
  const scale = Math.max(LEAST_READABLE_SCALE, whole.scale, Math.min(READABLE_SCALE, room))
  return {
    scale,
    x: axis(pane.width, drawing.width * scale, focus.x * scale, focus.width * scale),
    y: axis(pane.height, drawing.height * scale, focus.y * scale, focus.height * scale),
  }
}

/** Centres a stretch of one axis without leaving the drawing; its beginning wins when it is too long. */
function axis(pane: number, size: number, start: number, length: number): number {
  if (size + 2 * MARGIN <= pane) return (pane - size) / 2
  const centred = length + 2 * MARGIN > pane ? 3 * MARGIN - start : (pane - length) / 2 - start
  return Math.min(MARGIN, Math.max(pane - size - MARGIN, centred))
}

/** Zooms by a factor around a point of the pane. */
export function zoom(view: ViewBox, factor: number, around: Point): ViewBox {
  const scale = Math.min(MAX_SCALE, Math.max(MIN_SCALE, view.scale * factor))
  const ratio = scale / view.scale
  return { scale, x: around.x - (around.x - view.x) * ratio, y: around.y - (around.y - view.y) * ratio }
}

/** The smallest box around boxes. */
export function around(boxes: readonly Box[]): Box | undefined {
  if (boxes.length === 0) return undefined
  const x = Math.min(...boxes.map(box => box.x))
  const y = Math.min(...boxes.map(box => box.y))
  const right = Math.max(...boxes.map(box => box.x + box.width))
  const bottom = Math.max(...boxes.map(box => box.y + box.height))
  return { x, y, width: right - x, height: bottom - y }
}
