// Points, boxes and layout numbers: converted to and from the engine's graph, and drawn as paths.
import type { ElkExtendedEdge, ElkNode } from 'elkjs/lib/elk-api.js'
import type { Box, Point, Size } from '../../widgets/drawing/geometry.ts'

export type { Box, Point, Size }

/** The numbers of a layout, small enough to store in a file. */
export interface Geometry {
  /** `width, height`. */
  readonly size: readonly number[]
  /** `x, y, width, height` by node id. */
  readonly nodes: Readonly<Record<string, readonly number[]>>
  /** By edge id: `x, y` of each point, and `x, y, width, height` of the label. */
  readonly arrows: Readonly<Record<string, { readonly p: readonly number[]; readonly l?: readonly number[] }>>
}

interface Shape {
  readonly x?: number
  readonly y?: number
  readonly width?: number
  readonly height?: number
}

/** Half pixels are precise enough and short to write. */
const rough = (value: number) => Math.round(value * 2) / 2
const numbersOf = ({ x = 0, y = 0, width = 0, height = 0 }: Shape): number[] =>
  [x, y, width, height].map(rough)

/** Extracts the numbers from a placed single-level graph. */
export function geometryOf(placed: ElkNode): Geometry {
  const { width = 0, height = 0 } = placed
  return {
    size: [rough(width), rough(height)],
    nodes: Object.fromEntries((placed.children ?? []).map(node => [node.id, numbersOf(node)])),
    arrows: Object.fromEntries((placed.edges ?? []).map(arrow => [arrow.id, arrowOf(arrow)])),
  }
}

function arrowOf(arrow: ElkExtendedEdge) {
  const points = (arrow.sections ?? []).flatMap(section => [
    section.startPoint,
    ...(section.bendPoints ?? []),
    section.endPoint,
  ])
  const [label] = arrow.labels ?? []
  return { p: points.flatMap(({ x, y }) => [rough(x), rough(y)]), ...(label && { l: numbersOf(label) }) }
}

/** Returns the size of a layout. */
export const sizeOf = ({ size: [width = 0, height = 0] }: Geometry): Size => ({ width, height })

/** Merges several layouts into one of the given size, each moved to its position. */
export function joined(
  { width, height }: Size,
  parts: readonly { readonly geometry: Geometry; readonly at: Point }[],
): Geometry {
  const nodes: Record<string, readonly number[]> = {}
  const arrows: Record<string, Geometry['arrows'][string]> = {}
  for (const { geometry, at } of parts) {
    for (const [id, box] of Object.entries(geometry.nodes)) nodes[id] = moved(box, at)
    for (const [id, { p, l }] of Object.entries(geometry.arrows))
      arrows[id] = { p: movedPoints(p, at), ...(l && { l: moved(l, at) }) }
  }
  return { size: [rough(width), rough(height)], nodes, arrows }
}

const moved = ([x = 0, y = 0, ...size]: readonly number[], at: Point): readonly number[] => [
  rough(x + at.x),
  rough(y + at.y),
  ...size,
]
const movedPoints = (numbers: readonly number[], { x, y }: Point): readonly number[] =>
  numbers.map((value, n) => rough(value + (n % 2 === 0 ? x : y)))

/** Creates a box from four numbers. */
export function boxFrom(numbers: readonly number[] | undefined): Box | undefined {
  if (!numbers) return undefined
  const [x = 0, y = 0, width = 0, height = 0] = numbers
  return { x, y, width, height }
}

/** Returns the points in a list of numbers. */
export const pairs = (numbers: readonly number[]): readonly Point[] =>
  Array.from({ length: numbers.length / 2 }, (_, at) => ({
    x: numbers[2 * at] ?? 0,
    y: numbers[2 * at + 1] ?? 0,
  }))

/** Returns lines across the box between regions that form columns or a single row. */
export function separatorsOf(box: Box, regions: readonly Box[]): readonly (readonly [Point, Point])[] {
  const columns = columnsOf(regions)
  if (!columns) return []
  const right = (column: readonly Box[]) => Math.max(...column.map(({ x, width }) => x + width))
  const left = (column: readonly Box[]) => Math.min(...column.map(({ x }) => x))
  const upright = columns.slice(1).map((column, at) => (right(columns[at] ?? []) + left(column)) / 2)
  const bounds = [box.x, ...upright, box.x + box.width]
  const level = columns.flatMap((column, at) =>
    middles(column).map((y): readonly [Point, Point] => [
      { x: bounds[at] ?? box.x, y },
      { x: bounds[at + 1] ?? box.x + box.width, y },
    ]),
  )
  const top = columns.length > 1 ? Math.min(...regions.map(({ y }) => y)) : box.y
  const up = upright.map((x): readonly [Point, Point] => [
    { x, y: Math.max(box.y, top - ABOVE) },
    { x, y: box.y + box.height },
  ])
  return [...up, ...level]
}

/** A line between columns starts this far above them. */
const ABOVE = 8

/** Groups regions into columns that do not overlap, left to right, each sorted top to bottom. */
function columnsOf(regions: readonly Box[]): readonly (readonly Box[])[] | undefined {
  const columns: Box[][] = []
  for (const region of regions.toSorted((a, b) => a.x - b.x || a.y - b.y)) {
    const column = columns.at(-1)
    const end = Math.max(...(column ?? []).map(({ x, width }) => x + width), -Infinity)
    if (column && region.x < end) column.push(region)
    else columns.push([region])
  }
  const sorted = columns.map(column => column.toSorted((a, b) => a.y - b.y))
  const isApart = (column: readonly Box[]) =>
    column.slice(1).every((next, at) => next.y >= (column[at]?.y ?? 0) + (column[at]?.height ?? 0))
  return sorted.every(isApart) ? sorted : undefined
}

const middles = (column: readonly Box[]): readonly number[] =>
  column.slice(1).map((next, at) => {
    const above = column[at]
    return above ? (above.y + above.height + next.y) / 2 : next.y
  })
