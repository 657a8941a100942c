// One level of a focused chart: origin on the left, then the active state, then possible targets on the
// right.
import type { ChartState } from '../../../trace/index.ts'
import { joined, sizeOf, type Geometry, type Point, type Size } from './chart-geometry.ts'
import { labelSize, LINE, passageId, startId, type Measure } from './chart-graph.ts'
import { nodeId, type ChartEdge, type ChartParts } from './chart-parts.ts'

export interface RowOptions {
  readonly parts: ChartParts
  readonly measure: Measure
  readonly active: ChartState | undefined
  readonly origin: ChartState | undefined
  /** Maximum states drawn on the right. */
  readonly most: number
  /** Without the origin. */
  readonly isAlone: boolean
  readonly layoutOf: (state: ChartState) => Geometry
}

/** Distance between an arrow's ends and its label. */
const BEFORE_LABEL = 20
const AFTER_LABEL = 14
/** Distance at which arrows split. */
const TRUNK = 12
const GAP = 10
const BACK = 11
const DOT = 8

interface Part {
  readonly geometry: Geometry
  readonly at: Point
}
type Arrow = { readonly p: readonly number[]; readonly l?: readonly number[] }
type Arrows = Record<string, Arrow>

/** Places a state's active child among its neighbors. */
export function rowLayout(state: ChartState, options: RowOptions): Geometry {
  const { parts, active, origin, most, layoutOf, measure } = options
  if (!active) return { size: [0, 0], nodes: {}, arrows: {} }
  const edge = (from: ChartState, to: ChartState) =>
    parts.edges.get(`${nodeId(from.path)}→${nodeId(to.path)}`)
  const out = state.states.flatMap(target => {
    const found = target === origin ? undefined : edge(active, target)
    return found
      ? [{ edge: found, target, geometry: layoutOf(target), label: labelSize(found, measure) }]
      : []
  })
  const shown = out.slice(0, most)
  const inner = layoutOf(active)
  const size = sizeOf(inner)
  const middle = size.height / 2
  const left = origin
    ? originPart(
        origin,
        { forth: edge(origin, active), back: most > 0 ? edge(active, origin) : undefined },
        middle,
        options,
      )
    : options.isAlone
      ? { parts: [], arrows: {} }
      : startPart(state, active, middle)
  const right = targetsPart(shown, size)
  return settled([{ geometry: inner, at: { x: 0, y: 0 } }, ...left.parts, ...right.parts], {
    ...left.arrows,
    ...right.arrows,
  })
}

interface Side {
  readonly parts: readonly Part[]
  readonly arrows: Geometry['arrows']
}

/** Places the previous state to the left of the active one, whose left border is at 0. */
function originPart(
  origin: ChartState,
  { forth, back }: { readonly forth: ChartEdge | undefined; readonly back: ChartEdge | undefined },
  middle: number,
  { layoutOf, measure }: RowOptions,
): Side {
  const geometry = layoutOf(origin)
  const { width, height } = sizeOf(geometry)
  const ahead = forth && labelSize(forth, measure, true)
  const behind = back && labelSize(back, measure)
  const labels = [ahead, behind].filter(label => label !== undefined)
  const between = Math.max(24, ...labels.map(label => label.width + BEFORE_LABEL + AFTER_LABEL))
  const arrows: Arrows = {}
  const y = middle - (back ? BACK : 0)
  // The transition passed through other states.
  if (!forth) arrows[passageId(origin.path)] = { p: [-between, y, 0, y] }
  if (forth && ahead) arrows[forth.id] = straight([-between, y], 0, ahead, back ? 'above' : 'on')
  if (back && behind) arrows[back.id] = straight([0, middle + BACK], -between, behind, 'below')
  return { parts: [{ geometry, at: { x: -between - width, y: middle - height / 2 } }], arrows }
}

/** Draws the initial dot if no state came before. */
function startPart(state: ChartState, active: ChartState, middle: number): Side {
  if (state.type !== 'compound' || state.initial !== active.key) return { parts: [], arrows: {} }
  const id = startId(state.path)
  const dot: Geometry = { size: [DOT, DOT], nodes: { [id]: [0, 0, DOT, DOT] }, arrows: {} }
  return {
    parts: [{ geometry: dot, at: { x: -30, y: middle - DOT / 2 } }],
    arrows: { [`${id}→`]: { p: [-30 + DOT, middle, 0, middle] } },
  }
}

interface Target {
  readonly edge: ChartEdge
  readonly geometry: Geometry
  readonly label: Size
}

/** Places the possible next states, one below the other. */
function targetsPart(targets: readonly Target[], active: Size): Side {
  const rows = targets.map(({ geometry, label }) =>
    Math.max(sizeOf(geometry).height, label.height > LINE * 1.5 ? label.height : 2 * label.height),
  )
  const stack = rows.reduce((sum, row) => sum + row + GAP, -GAP)
  const x =
    active.width + Math.max(0, ...targets.map(({ label }) => label.width)) + BEFORE_LABEL + AFTER_LABEL
  let top = (active.height - stack) / 2
  const parts: Part[] = []
  const arrows: Arrows = {}
  targets.forEach(({ edge, geometry, label }, n) => {
    const y = top + (rows[n] ?? 0) / 2
    top += (rows[n] ?? 0) + GAP
    parts.push({ geometry, at: { x, y: y - sizeOf(geometry).height / 2 } })
    arrows[edge.id] = branch(active, y, x, label)
  })
  return { parts, arrows }
}

/** Draws an arrow from the right border, at a height on that border, along the trunk to its own height. */
function branch(active: Size, y: number, to: number, label: Size): Arrow {
  const inset = Math.min(16, active.height / 2)
  const from = Math.min(active.height - inset, Math.max(inset, y))
  const trunk = active.width + TRUNK
  const bend = from === y ? [] : [trunk, from, trunk, y]
  return {
    p: [active.width, from, ...bend, to, y],
    l: labelAt(
      active.width + BEFORE_LABEL + (to - active.width - BEFORE_LABEL - AFTER_LABEL - label.width) / 2,
      y,
      label,
      'on',
    ),
  }
}

type Side3 = 'above' | 'on' | 'below'

function straight([x, y]: readonly [number, number], to: number, label: Size, side: Side3): Arrow {
  // The arrow's head needs more space than its tail.
  const shift = to > x ? -3 : 3
  return { p: [x, y, to, y], l: labelAt((x + to - label.width) / 2 + shift, y, label, side) }
}

/** A single line sits on its arrow; two lines enclose it. */
function labelAt(x: number, y: number, { width, height }: Size, side: Side3): readonly number[] {
  const lines = Math.round((height - 4) / LINE)
  const above = y - height - 1
  if (side === 'below') return [x, y + 1, width, height]
  return [x, side === 'above' || lines < 2 ? above : y - height / 2, width, height]
}

/** Moves everything so that it starts at 0, 0. */
function settled(parts: readonly Part[], arrows: Geometry['arrows']): Geometry {
  const labels = Object.values(arrows).flatMap(({ l }) => (l ? [l] : []))
  const lefts = [...parts.map(({ at }) => at.x), ...labels.map(([x = 0]) => x)]
  const tops = [...parts.map(({ at }) => at.y), ...labels.map(([, y = 0]) => y)]
  const rights = [
    ...parts.map(({ at, geometry }) => at.x + sizeOf(geometry).width),
    ...labels.map(([x = 0, , width = 0]) => x + width),
  ]
  const bottoms = [
    ...parts.map(({ at, geometry }) => at.y + sizeOf(geometry).height),
    ...labels.map(([, y = 0, , height = 0]) => y + height),
  ]
  const at = { x: -Math.min(...lefts), y: -Math.min(...tops) }
  const size = { width: Math.max(...rights) + at.x, height: Math.max(...bottoms) + at.y }
  return joined(size, [
    ...parts.map(part => ({ geometry: part.geometry, at: { x: part.at.x + at.x, y: part.at.y + at.y } })),
    { geometry: { size: [0, 0], nodes: {}, arrows }, at },
  ])
}
