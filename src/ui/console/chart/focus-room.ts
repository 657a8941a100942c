// How much of a chart is drawn around its active states, by available space and by where something happened.
import type { ChartState } from '../../../trace/index.ts'
import type { ChartParts } from './chart-parts.ts'
import type { EdgeLine } from './chart-text.ts'
import { containerOf } from './edge-direction.ts'

/** The states that a focused chart is drawn around. */
export interface Focus {
  /** Active states. */
  readonly active: ReadonlySet<string>
  /** The previously active child, by path of its parent state. */
  readonly origins: ReadonlyMap<string, string>
  /** Innermost states entered by the last change. */
  readonly entered: ReadonlySet<string>
}

/** How much is drawn; the rest is listed as text or left out. */
export interface Room {
  readonly columns: number
  /** Maximum states drawn to the right of the one just entered; others are lines in it. */
  readonly targets: number
  /** The same for its ancestors. */
  readonly outer: number
  /** The same within regions, which can be numerous. */
  readonly inner: number
  /** Whether the previous states are drawn. */
  readonly hasOrigins: boolean
  /** Whether regions without changes are drawn with their next states. */
  readonly isWhole: boolean
  /** Whether ancestors of the just-entered state are left out. */
  readonly isInner?: boolean
}

/** From most detailed to most compact. */
export const ROOMS: readonly Room[] = [
  { targets: 8, outer: 8, inner: 8, isWhole: true, hasOrigins: true },
  { targets: 5, outer: 4, inner: 3, isWhole: true, hasOrigins: true },
  { targets: 5, outer: 0, inner: 3, isWhole: true, hasOrigins: true },
  { targets: 5, outer: 4, inner: 0, isWhole: true, hasOrigins: true },
  { targets: 5, outer: 0, inner: 0, isWhole: true, hasOrigins: true },
  { targets: 5, outer: 0, inner: 0, isWhole: false, hasOrigins: true },
  { targets: 2, outer: 0, inner: 0, isWhole: false, hasOrigins: true },
  { targets: 0, outer: 0, inner: 0, isWhole: false, hasOrigins: true },
  { targets: 0, outer: 0, inner: 0, isWhole: false, hasOrigins: false },
  { targets: 5, outer: 0, inner: 0, isWhole: false, hasOrigins: true, isInner: true },
  { targets: 2, outer: 0, inner: 0, isWhole: false, hasOrigins: true, isInner: true },
].flatMap(room => [1, 2, 3, 5].map(columns => ({ ...room, columns })))

/** Returns the parent of the just-entered state if it is the only one entered and has siblings. */
export function innermost(root: ChartState, { entered }: Focus): ChartState | undefined {
  const [path, more] = [...entered]
  if (path === undefined || more !== undefined) return undefined
  const found: ChartState[] = []
  visit(root, state => {
    if (state.path === containerOf(path) && state.type !== 'parallel') found.push(state)
  })
  return found[0]
}

/** Returns how many states are drawn next to an active one in the state at a path. */
export function mostBeside(root: ChartState, focus: Focus, room: Room): (container: string) => number {
  const parallel: string[] = []
  visit(root, ({ type, path }) => {
    if (type === 'parallel') parallel.push(path)
  })
  const isWithin = (container: string) =>
    parallel.some(path => container !== path && (path === '' || container.startsWith(`${path}.`)))
  // If several regions were entered at once, none is emphasized.
  const entered = focus.entered.size === 1 ? containerOf([...focus.entered][0] ?? '') : undefined
  return container => (container === entered ? room.targets : isWithin(container) ? room.inner : room.outer)
}

/**
 * Returns regions that the last change did not enter, or all regions if they were entered with their parent.
 */
export function quietRegions(state: ChartState, focus: Focus): readonly string[] {
  const inner = state.states.filter(({ path }) => focus.active.has(path))
  if (state.type !== 'parallel') return inner.flatMap(child => quietRegions(child, focus))
  const isStirred = ({ path }: ChartState) =>
    [...focus.entered].some(one => one === path || one.startsWith(`${path}.`))
  const stirred = inner.filter(isStirred)
  const lively = stirred.length === inner.length ? [] : stirred
  return inner.flatMap(region => (lively.includes(region) ? quietRegions(region, focus) : [region.path]))
}

/** Arrows without space become lines in their source state. */
export function withOverflow(
  { edges, own, states }: ChartParts,
  { active, origins }: Focus,
  mostOf: (container: string) => number,
): ChartParts['own'] {
  const lines = new Map(own)
  const out = Map.groupBy(
    [...edges.values()].filter(({ source }) => active.has(source)),
    ({ source }) => source,
  )
  for (const [source, leaving] of out) {
    const most = mostOf(containerOf(source))
    const origin = most > 0 ? origins.get(containerOf(source)) : undefined
    const rest = leaving.filter(({ target }) => target !== origin).slice(most)
    const edges = rest.map(({ names, lines: [first], target, timed }): EdgeLine => ({
      text: `${first?.text ?? ''}${names.length > 1 ? `, +${names.length - 1}` : ''} → ${states.get(target)?.key ?? target}`,
      kind: 'own',
      names,
      ...(timed && { timed }),
    }))
    if (edges.length > 0) lines.set(source, [...(own.get(source) ?? []), ...edges])
  }
  return lines
}

/** Visits the state and its descendants, outer ones first. */
export function visit(state: ChartState, take: (state: ChartState) => void): void {
  take(state)
  for (const child of state.states) visit(child, take)
}
