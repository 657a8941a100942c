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

/** The whole drawing where it stays readable; otherwise the part around `focus`. */
export function readable(drawing: Size, pane: Size, focus: Box | undefined): ViewBox {
  const whole = fit(drawing, pane)
  if (whole.scale >= READABLE_SCALE || !focus) return whole
  return reveal({ scale: READABLE_SCALE, x: MARGIN, y: MARGIN }, drawing, pane, focus)
}

/** Moves as little as needed for `focus` to be inside the pane; stays within the drawing. */
export function reveal(view: ViewBox, drawing: Size, pane: Size, focus: Box): ViewBox {
  const x = axis(view.x, view.scale, pane.width, drawing.width, focus.x, focus.width)
  const y = axis(view.y, view.scale, pane.height, drawing.height, focus.y, focus.height)
  return x === view.x && y === view.y ? view : { scale: view.scale, x, y }
}

function axis(offset: number, scale: number, pane: number, size: number, at: number, length: number) {
  if (size * scale + 2 * MARGIN <= pane) return (pane - size * scale) / 2
  const margin = Math.min(24, pane / 8)
  const start = offset + at * scale
  const end = start + length * scale
  if (start >= margin && end <= pane - margin) return offset
  const moved = start < margin || length * scale > pane - 2 * margin ? margin - start : pane - margin - end
  return offset + moved
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
