// Finds the shortest path to a state in a machine's chart, from the currently active states.
import {
  type ChartState,
  type ChartTransition,
  type MachineChart,
  statesOf,
  type StateValue,
} from '../../trace/index.ts'

/** How a transition is triggered: by a sent event, a fired timer, an effect's result, or automatically. */
export type Means = 'send' | 'timer' | 'effect' | 'itself'

/** One transition on the path. */
export interface PathStep {
  /** `path#n` as in a trace's `via`. */
  readonly name: string
  /** The source state. */
  readonly from: string
  readonly event: string
  readonly means: Means
  readonly targets: readonly string[]
  /** The guard of the transition; it is evaluated only when the path is followed. */
  readonly guard?: string
  /** The innermost active states after it. */
  readonly active: readonly string[]
}

/** Cost of a transition. Prefers few steps, manual triggers and no guards. */
const COST: Readonly<Record<Means, number>> = { itself: 0.2, send: 1, timer: 1.2, effect: 3 }
const GUARDED = 0.6
/** Maximum number of visited places; parallel regions multiply them. */
const MAX_EXAMINED = 20_000

interface Place {
  readonly leaves: readonly string[]
  readonly cost: number
  readonly steps: readonly PathStep[]
}

/** Returns the path: empty if the state is already active, undefined if there is none. */
export function pathTo(
  chart: MachineChart,
  value: StateValue | undefined,
  goal: string,
): readonly PathStep[] | undefined {
  const map = new ChartMap(chart)
  const visited = new Set<string>()
  const open: Place[] = [{ leaves: map.complete(leavesOf(value)), cost: 0, steps: [] }]
  for (let examined = 0; open.length > 0 && examined < MAX_EXAMINED; examined++) {
    const place = takeCheapest(open)
    const key = place.leaves.join()
    if (visited.has(key)) continue
    visited.add(key)
    if (place.leaves.some(leaf => isWithin(leaf, goal))) return place.steps
    for (const step of map.steps(place.leaves)) {
      const cost = place.cost + COST[step.means] + (step.guard === undefined ? 0 : GUARDED)
      if (!visited.has(step.active.join()))
        open.push({ leaves: step.active, cost, steps: [...place.steps, step] })
    }
  }
  return undefined
}

function takeCheapest(open: Place[]): Place {
  let bestRank = 0
  for (let at = 1; at < open.length; at++)
    if ((open[at]?.cost ?? 0) < (open[bestRank]?.cost ?? 0)) bestRank = at
  const [place] = open.splice(bestRank, 1)
  return place as Place
}

/** Returns the innermost active states of a value. */
function leavesOf(value: StateValue | undefined, prefix = ''): string[] {
  if (value === undefined) return []
  if (typeof value === 'string') return [prefix + value]
  return Object.entries(value).flatMap(([key, inner]) => {
    const inside = leavesOf(inner, `${prefix}${key}.`)
    return inside.length > 0 ? inside : [prefix + key]
  })
}

const isWithin = (path: string, outer: string): boolean =>
  outer === '' || path === outer || path.startsWith(`${outer}.`)

/** Returns how an event of a chart is triggered. */
function meansOf({ event }: Pick<ChartTransition, 'event'>): Means {
  if (event === 'always') return 'itself'
  if (event.startsWith('after ')) return 'timer'
  return /^(?:done\b|error |snapshot )/.test(event) ? 'effect' : 'send'
}

/** A chart with lookups for the search. */
class ChartMap {
  readonly #states: ReadonlyMap<string, ChartState>

  constructor(chart: MachineChart) {
    this.#states = statesOf(chart)
  }

  /** Returns the innermost states that become active when these are entered. */
  complete(enteredStates: readonly string[], within = ''): string[] {
    const inside = enteredStates.filter(path => isWithin(path, within))
    const state = this.#states.get(within)
    const children = state?.states.filter(({ type }) => type !== 'history') ?? []
    if (!state || children.length === 0) return [within]
    if (state.type === 'parallel') return children.flatMap(({ path }) => this.complete(inside, path))
    const deeper = children.find(({ path }) => inside.some(one => isWithin(one, path)))
    const first = deeper ?? children.find(({ key }) => key === state.initial) ?? children[0]
    return first ? this.complete(inside, first.path) : [within]
  }

  /** Returns every transition that is possible when these are the innermost active states. */
  steps(leaves: readonly string[]): PathStep[] {
    const active = [...this.#states.values()].filter(({ path }) => leaves.some(leaf => isWithin(leaf, path)))
    return active.flatMap(state =>
      state.transitions.flatMap((transition, n) => {
        const { event, targets, guard } = transition
        if (targets.length === 0 || event.includes('*') || isHidden(active, state, event)) return []
        const after = this.#after(leaves, state.path, transition)
        const name = `${state.path}#${n}`
        const means = meansOf(transition)
        return [{ name, from: state.path, event, means, targets, ...(guard && { guard }), active: after }]
      }),
    )
  }

  #after(leaves: readonly string[], source: string, { targets }: ChartTransition): string[] {
    const ends = targets.flatMap(target => this.#resolved(target))
    const domain = this.#domain(source, ends)
    const keptLeaves = leaves.filter(leaf => !isWithin(leaf, domain))
    return [...keptLeaves, ...this.complete(ends, domain)].sort()
  }

  /** A history state stands for its default target; its memory is not in the chart. */
  #resolved(path: string): readonly string[] {
    const state = this.#states.get(path)
    if (state?.type !== 'history') return [path]
    return state.fallback ?? [path.split('.').slice(0, -1).join('.')]
  }

  /** Returns the innermost compound state around everything that a transition exits and enters. */
  #domain(source: string, ends: readonly string[]): string {
    if (ends.every(end => end !== source && isWithin(end, source))) return source
    for (let at = source; at !== '';) {
      at = at.split('.').slice(0, -1).join('.')
      const isAround = ends.every(end => isWithin(end, at) && end !== at)
      if (isAround && this.#states.get(at)?.type !== 'parallel') return at
    }
    return ''
  }
}

/** An inner state takes precedence unless its transition has a guard. */
function isHidden(active: readonly ChartState[], { path }: ChartState, event: string): boolean {
  return active.some(
    inner =>
      inner.path !== path &&
      isWithin(inner.path, path) &&
      inner.transitions.some(one => one.event === event && one.guard === undefined),
  )
}
