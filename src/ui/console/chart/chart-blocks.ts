// Combines layouts of states: a state around its children, and regions in a grid.
import { joined, sizeOf, type Geometry, type Point, type Size } from './chart-geometry.ts'
import { PADDING } from './chart-graph.ts'
import { nodeId } from './chart-parts.ts'

/** Places a state's children inside its frame, below its head. */
export function framed(path: string, inner: Geometry, head: Size): Geometry {
  const { width, height } = sizeOf(inner)
  const top = head.height + 6
  const size = {
    width: Math.max(head.width, width + 2 * PADDING),
    height: top + height + PADDING,
  }
  return withNode(joined(size, [{ geometry: inner, at: { x: PADDING, y: top } }]), path)
}

/** Adds the state's frame around a layout. */
export const withNode = (geometry: Geometry, path: string): Geometry => ({
  ...geometry,
  nodes: { [nodeId(path)]: [0, 0, ...geometry.size], ...geometry.nodes },
})

/** Gap between regions. */
const GAP = 10

/** Arranges regions in columns, each filled from the top; regions in a column get the same width. */
export function grid(
  regions: readonly { readonly path: string; readonly geometry: Geometry }[],
  columns: number,
): Geometry {
  const perColumn = Math.ceil(regions.length / columns)
  const parts: { geometry: Geometry; at: Point }[] = []
  let [x, height] = [0, 0]
  for (let from = 0; from < regions.length; from += perColumn) {
    const column = regions.slice(from, from + perColumn)
    const width = Math.max(...column.map(({ geometry }) => sizeOf(geometry).width))
    let y = 0
    for (const { path, geometry } of column) {
      parts.push({ geometry: widened(path, geometry, width), at: { x, y } })
      y += sizeOf(geometry).height + GAP
    }
    height = Math.max(height, y - GAP)
    x += width + GAP
  }
  return joined({ width: x - GAP, height }, parts)
}

function widened(path: string, geometry: Geometry, width: number): Geometry {
  const { height } = sizeOf(geometry)
  return {
    ...geometry,
    size: [width, height],
    nodes: { ...geometry.nodes, [nodeId(path)]: [0, 0, width, height] },
  }
}

/** Returns how much a layout must shrink to fit a pane of this aspect ratio; less is better. */
function strain(geometry: Geometry, aspect: number): number {
  const { width, height } = sizeOf(geometry)
  return Math.max(width / aspect, height)
}

/** Returns the best fit; among nearly equal ones, the first. */
export function best(candidates: readonly Geometry[], aspect: number): Geometry | undefined {
  const least = Math.min(...candidates.map(one => strain(one, aspect)))
  return candidates.find(one => strain(one, aspect) <= Math.max(least * NEARLY, SMALL))
}
const NEARLY = 1.05
/** A layout that fits a short pane at full size need not be smaller. */
const SMALL = 240
