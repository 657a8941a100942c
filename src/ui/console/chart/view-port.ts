// The view onto a chart: pan and zoom without rerendering; notifies React only when other shapes become
// visible.
import type { Box, Point, Size } from './chart-geometry.ts'
import { FONT_SIZES } from './chart-graph.ts'

/** How far around the pane shapes are rendered, as a share of its size: a smaller pan draws nothing new. */
const AROUND = 0.5

/** The view over one drawing. */
export class ViewPort {
  #view: ViewBox = { x: 0, y: 0, scale: 1 }
  #pane: Size = { width: 0, height: 0 }
  #kept: Box = { x: 0, y: 0, width: 0, height: 0 }
  readonly #listeners = new Set<() => void>()
  readonly #onRegion: (region: Box) => void

  /** `onRegion` receives the part of the drawing to render whenever it changes. */
  constructor(onRegion: (region: Box) => void) {
    this.#onRegion = onRegion
  }

  /** The same object until it moves. */
  get view(): ViewBox {
    return this.#view
  }

  get pane(): Size {
    return this.#pane
  }

  /** The visible part of the drawing. */
  get visible(): Box {
    const { x, y, scale } = this.#view
    const { width, height } = this.#pane
    return { x: -x / scale, y: -y / scale, width: width / scale, height: height / scale }
  }

  set(view: ViewBox, pane = this.#pane): void {
    this.#view = view
    this.#pane = pane
    const { visible } = this
    const isMuchSmaller = this.#kept.width > visible.width * (2 + 4 * AROUND)
    if (!holds(this.#kept, visible) || isMuchSmaller) {
      this.#kept = grown(visible)
      this.#onRegion(this.#kept)
    }
    for (const listener of this.#listeners) listener()
  }

  move(by: Point): void {
    this.set({ ...this.#view, x: this.#view.x + by.x, y: this.#view.y + by.y })
  }

  zoom(factor: number, at: Point = { x: this.#pane.width / 2, y: this.#pane.height / 2 }): void {
    this.set(zoom(this.#view, factor, at))
  }

  /** Centers a point of the drawing. */
  center(at: Point, scale = this.#view.scale): void {
    const { width, height } = this.#pane
    this.set({ scale, x: width / 2 - at.x * scale, y: height / 2 - at.y * scale })
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }
}

const grown = ({ x, y, width, height }: Box): Box => ({
  x: x - width * AROUND,
  y: y - height * AROUND,
  width: width * (1 + 2 * AROUND),
  height: height * (1 + 2 * AROUND),
})

const holds = (outer: Box, inner: Box): boolean =>
  outer.x <= inner.x &&
  outer.y <= inner.y &&
  outer.x + outer.width >= inner.x + inner.width &&
  outer.y + outer.height >= inner.y + inner.height

/** Whether two boxes overlap. */
export const meets = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

/** Position of the drawing in its pane: `screen = offset + scale × drawing`. */
interface ViewBox extends Point {
  readonly scale: number
}

const MIN_SCALE = 0.04
const MAX_SCALE = 3
/** Below 11 pixels the smallest text is hard to read; a larger chart is then shown in part. */
export const READABLE_SCALE = 11 / FONT_SIZES.edge
const MARGIN = 8

/** Height of the tools at the lower edge of a pane, for mouse and touch. */
export const TOOLS = { fine: 34, coarse: 58 } as const
/** Shorter panes reserve no space for the tools. */
const LOW = 150

/** Returns the part of a pane that is not covered by tools. */
export const clearOf = ({ width, height }: Size, tools: number = TOOLS.fine): Size => ({
  width,
  height: height < LOW ? height : height - tools,
})

/** Fits the whole drawing, centered and never enlarged. */
export function fit(drawing: Size, pane: Size): ViewBox {
  const scale = Math.min(
    1,
    (pane.width - 2 * MARGIN) / Math.max(1, drawing.width),
    (pane.height - 2 * MARGIN) / Math.max(1, drawing.height),
  )
  return centered(drawing, pane, Math.max(MIN_SCALE, scale))
}

function centered(drawing: Size, pane: Size, scale: number): ViewBox {
  return {
    scale,
    x: (pane.width - drawing.width * scale) / 2,
    y: (pane.height - drawing.height * scale) / 2,
  }
}

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

/** Zooms by a factor around a point of the pane. */
export function zoom(view: ViewBox, factor: number, around: Point): ViewBox {
  const scale = Math.min(MAX_SCALE, Math.max(MIN_SCALE, view.scale * factor))
  const ratio = scale / view.scale
  return { scale, x: around.x - (around.x - view.x) * ratio, y: around.y - (around.y - view.y) * ratio }
}

/** Returns the smallest box around two boxes. */
function around(a: Box, b: Box): Box {
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)]
  const right = Math.max(a.x + a.width, b.x + b.width)
  const bottom = Math.max(a.y + a.height, b.y + b.height)
  return { x, y, width: right - x, height: bottom - y }
}
