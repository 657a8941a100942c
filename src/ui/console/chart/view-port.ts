// The part of a chart that is shown: readable, with the active states, and clear of the tools.
import { fit, MARGIN, type ViewBox } from '../../widgets/drawing/view-port.ts'
import type { Box, Size } from './chart-geometry.ts'
import { FONT_SIZES } from './chart-graph.ts'

/** Below 11 pixels the smallest text is hard to read; a larger chart is then shown in part. */
export const READABLE_SCALE = 11 / FONT_SIZES.edge

/** Height of the tools at the lower edge of a pane, for mouse and touch. */
export const TOOLS = { fine: 34, coarse: 58 } as const
/** Shorter panes reserve no space for the tools. */
const LOW = 150

/** Returns the part of a pane that is not covered by tools. */
export const clearOf = ({ width, height }: Size, tools: number = TOOLS.fine): Size => ({
  width,
  height: height < LOW ? height : height - tools,
})

/**
 * Fits the whole drawing if its scale is at least `least`; otherwise the part with as many of `places` as
 * fit, in order.
 */
export function readable(drawing: Size, pane: Size, places: readonly Box[], least = READABLE_SCALE): ViewBox {
  const whole = fit(drawing, pane)
  const scale = READABLE_SCALE
  const room = { width: (pane.width - 2 * MARGIN) / scale, height: (pane.height - 2 * MARGIN) / scale }
  const focus = places.reduce<Box | undefined>((held, place) => joined(held, place, room), undefined)
  if (whole.scale >= least || !focus) return whole
  return {
    scale,
    x: axis(pane.width, drawing.width * scale, focus.x * scale, focus.width * scale),
    y: axis(pane.height, drawing.height * scale, focus.y * scale, focus.height * scale),
  }
}

/** Returns both boxes joined if they fit in the given size, else the first one. */
function joined(held: Box | undefined, next: Box, room: Size): Box {
  if (!held) return next
  const both = around(held, next)
  return both.width <= room.width && both.height <= room.height ? both : held
}

/** Centers a range on one axis without leaving the drawing. */
function axis(pane: number, size: number, start: number, length: number): number {
  if (size + 2 * MARGIN <= pane) return (pane - size) / 2
  return Math.min(MARGIN, Math.max(pane - size - MARGIN, (pane - length) / 2 - start))
}

/** Returns the smallest box around two boxes. */
function around(a: Box, b: Box): Box {
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)]
  const right = Math.max(a.x + a.width, b.x + b.width)
  const bottom = Math.max(a.y + a.height, b.y + b.height)
  return { x, y, width: right - x, height: bottom - y }
}
