// The view onto a drawing: pan and zoom without rerendering; notifies React only when other shapes become
// visible.
import type { Box, Point, Size } from './geometry.ts'

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
export interface ViewBox extends Point {
  readonly scale: number
}

const MIN_SCALE = 0.04
const MAX_SCALE = 3
/** Distance between the drawing and the edge of its pane. */
export const MARGIN = 8

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

/** Zooms by a factor around a point of the pane. */
export function zoom(view: ViewBox, factor: number, around: Point): ViewBox {
  const scale = Math.min(MAX_SCALE, Math.max(MIN_SCALE, view.scale * factor))
  const ratio = scale / view.scale
  return { scale, x: around.x - (around.x - view.x) * ratio, y: around.y - (around.y - view.y) * ratio }
}
