// Map-like state names for a chart zoomed far out: one size on screen, and as many as fit.
import type { Box } from './chart-geometry.ts'
import type { StateBox } from './placed-chart.ts'

/** Font size on screen, in pixels. */
export const NAME_SIZE = 11
const HEIGHT = 14
/** A box may be slightly lower than its name. */
const LEAST_HEIGHT = 7
/** Margin around a name that separates it from the next. */
const APART = 3

export interface FarName {
  readonly path: string
  readonly text: string
  /** Center of the name, in drawing coordinates. */
  readonly x: number
  readonly y: number
}

export interface FarNamesOptions {
  /** Scale of the drawing. */
  readonly scale: number
  readonly active: ReadonlySet<string>
  /** Returns the width of a name in pixels at that size. */
  readonly widthOf: (text: string) => number
}

/** Active states first, then larger ones; names do not overlap. */
export function farNames(
  boxes: readonly StateBox[],
  { scale, active, widthOf }: FarNamesOptions,
): readonly FarName[] {
  const taken: Box[] = []
  const isActiveLeaf = (box: StateBox) => !box.isNested && active.has(box.state.path)
  const inOrder = boxes
    .filter(box => !box.isRoot && box.state.type !== 'history')
    .toSorted((a, b) => Number(isActiveLeaf(b)) - Number(isActiveLeaf(a)) || areaOf(b) - areaOf(a))
  return inOrder.flatMap(box => {
    const text = box.state.key
    const width = widthOf(text)
    const hasRoom = box.width * scale >= width + 2 * APART && box.height * scale >= LEAST_HEIGHT
    // Active names may cross their box's edge, because users look for them.
    if (!hasRoom && !isActiveLeaf(box)) return []
    const place = placesIn(box, scale, width).find(one => !taken.some(other => overlap(one, other)))
    if (!place) return []
    taken.push(place)
    return [{ path: box.state.path, text, ...middleOf(place, scale) }]
  })
}

const areaOf = ({ width, height }: Box): number => width * height

/** On screen: a parent's name along its upper edge, a leaf's in its center. */
function placesIn(box: StateBox, scale: number, width: number): readonly Box[] {
  const size = { width: width + 2 * APART, height: HEIGHT }
  const [left, top] = [box.x * scale, box.y * scale]
  const free = { x: box.width * scale - size.width, y: box.height * scale - size.height }
  const middle = { x: left + free.x / 2, y: top + free.y / 2, ...size }
  if (!box.isNested) return [middle]
  const upper = [0, 0.5, 1].map(part => ({ x: left + 2 + part * (free.x - 4), y: top + 2, ...size }))
  return [...upper, middle]
}

const middleOf = ({ x, y, width, height }: Box, scale: number) => ({
  x: (x + width / 2) / scale,
  y: (y + height / 2) / scale,
})

const overlap = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

/** Below this scale the chart's text is unreadable, and hiding it makes the shapes clearer. */
export const FAR = 0.42
const STEP = 0.85

/**
 * Returns the scale that names are placed for: slightly smaller than the real one, and stable over a range.
 */
export function farScale(scale: number): number | undefined {
  return scale < FAR ? FAR * STEP ** Math.ceil(Math.log(scale / FAR) / Math.log(STEP)) : undefined
}
