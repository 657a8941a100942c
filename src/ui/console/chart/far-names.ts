// The names of states on a chart that is seen from afar, as a map has them: of one size on the screen, as many as fit.
import type { Box } from './chart-geometry.ts'
import type { StateBox } from './placed-chart.ts'

/** Size of the names on the screen, in pixels. */
export const NAME_SIZE = 11
const HEIGHT = 14
/** A box may be somewhat lower than its name. */
const LEAST_HEIGHT = 7
/** Around a name, so that two can be told apart. */
const APART = 3

export interface FarName {
  readonly path: string
  readonly text: string
  /** The middle of the name, in the drawing's coordinates. */
  readonly x: number
  readonly y: number
}

export interface FarNamesOptions {
  /** How large the drawing is shown. */
  readonly scale: number
  readonly active: ReadonlySet<string>
  /** Width of a name of that size, in pixels. */
  readonly widthOf: (text: string) => number
}

/** Those that are active first, then the larger states; none lies over another. */
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
    // The active ones may lie over their box's edge: they are what one looks for.
    if (!hasRoom && !isActiveLeaf(box)) return []
    const place = placesIn(box, scale, width).find(one => !taken.some(other => overlap(one, other)))
    if (!place) return []
    taken.push(place)
    return [{ path: box.state.path, text, ...middleOf(place, scale) }]
  })
}

const areaOf = ({ width, height }: Box): number => width * height

/** On the screen: of a state with others in it along its upper edge, else in its middle. */
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

/** From here on the words of a chart can't be read; without them one sees it. */
export const FAR = 0.42
const STEP = 0.85

/** The scale that names are placed for: a little smaller than the true one, and the same for some way. */
export function farScale(scale: number): number | undefined {
  return scale < FAR ? FAR * STEP ** Math.ceil(Math.log(scale / FAR) / Math.log(STEP)) : undefined
}
