// Points, boxes, and the numbers of a layout: from the engine's graph, and back.
import type { ElkExtendedEdge, ElkNode } from 'elkjs/lib/elk-api.js'

export interface Point {
  readonly x: number
  readonly y: number
}

export interface Box extends Point {
  readonly width: number
  readonly height: number
}

/** Numbers of a layout alone, small enough to be kept in a file. */
export interface Geometry {
  /** `width, height`. */
  readonly size: readonly number[]
  /** `x, y, width, height` by node id. */
  readonly nodes: Readonly<Record<string, readonly number[]>>
  /** By edge id: `x, y` of each point, and `x, y, width, height` of the label. */
  readonly arrows: Readonly<Record<string, { readonly p: readonly number[]; readonly l?: readonly number[] }>>
}

/** Every node in a graph by its id. */
export function collect(node: ElkNode, into: Map<string, ElkNode>): void {
  into.set(node.id, node)
  for (const child of node.children ?? []) collect(child, into)
}

interface Shape {
  readonly x?: number
  readonly y?: number
  readonly width?: number
  readonly height?: number
}

/** A box of what the engine gives. */
export const boxOf = ({ x = 0, y = 0, width = 0, height = 0 }: Shape): Box => ({ x, y, width, height })
/** Half pixels are fine enough, and short to write. */
const rough = (value: number) => Math.round(value * 2) / 2
const numbersOf = (shape: Shape): number[] => {
  const { x, y, width, height } = boxOf(shape)
  return [x, y, width, height].map(rough)
}

/** The numbers of a placed graph. */
export function geometryOf(placed: ElkNode): Geometry {
  const nodes = new Map<string, ElkNode>()
  collect(placed, nodes)
  nodes.delete(placed.id)
  const { width = 0, height = 0 } = placed
  return {
    size: [rough(width), rough(height)],
    nodes: Object.fromEntries([...nodes].map(([id, node]) => [id, numbersOf(node)])),
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

/** A box of four numbers. */
export function boxFrom(numbers: readonly number[] | undefined): Box | undefined {
  if (!numbers) return undefined
  const [x = 0, y = 0, width = 0, height = 0] = numbers
  return { x, y, width, height }
}

/** Points of a list of numbers. */
export const pairs = (numbers: readonly number[]): readonly Point[] =>
  Array.from({ length: numbers.length / 2 }, (_, at) => ({
    x: numbers[2 * at] ?? 0,
    y: numbers[2 * at + 1] ?? 0,
  }))

/** Lines across the box between regions that lie below or beside each other. */
export function separatorsOf(box: Box, regions: readonly Box[]): readonly (readonly [Point, Point])[] {
  const down = between(regions, 'y', 'height')
  if (down) {
    return down.map(y => [
      { x: box.x, y },
      { x: box.x + box.width, y },
    ])
  }
  const across = between(regions, 'x', 'width') ?? []
  return across.map(x => [
    { x, y: box.y },
    { x, y: box.y + box.height },
  ])
}

function between(regions: readonly Box[], at: 'x' | 'y', size: 'width' | 'height'): number[] | undefined {
  const sorted = regions.toSorted((a, b) => a[at] - b[at])
  const middles: number[] = []
  for (const [n, next] of sorted.slice(1).entries()) {
    const region = sorted[n]
    if (!region || region[at] + region[size] > next[at]) return undefined
    middles.push((region[at] + region[size] + next[at]) / 2)
  }
  return middles
}
