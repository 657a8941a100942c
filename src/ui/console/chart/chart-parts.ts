// The drawn parts of a machine: its states, and arrows between siblings that are not folded away with their
// directions.
import { type ChartState, type MachineChart, namedTransitions } from '../../../trace/index.ts'
import {
  edgeLines,
  ownLines,
  transitionText,
  type Found,
  type OwnFound,
  stateRows,
  type Detail,
  type EdgeLine,
  type StateRow,
} from './chart-text.ts'

/** The actual source and target of a transition, and its name. */
export interface Ends {
  readonly name: string
  readonly source: string
  readonly target: string
}

/** An arrow between two children of one state, for every transition from within one to within the other. */
export interface ChartEdge {
  readonly id: string
  readonly source: string
  readonly target: string
  /** Transitions as `event [guard]`, in declaration order. */
  readonly texts: readonly string[]
  /** Names of the transitions: `path#n`. */
  readonly names: readonly string[]
  readonly ends: readonly Ends[]
  /** Whether it shows a delay, so that there must be space for the time left. */
  readonly timed: boolean
  readonly lines: readonly EdgeLine[]
}

export interface ChartParts {
  readonly chart: MachineChart
  /** Drawn states by path, outer ones first. */
  readonly states: ReadonlyMap<string, ChartState>
  /** Paths of states drawn without their children. */
  readonly folded: ReadonlySet<string>
  readonly detail: Detail
  readonly edges: ReadonlyMap<string, ChartEdge>
  /** Transitions that stay within a state and are listed in its box, by the state's path. */
  readonly own: ReadonlyMap<string, readonly EdgeLine[]>
  /** Arrows laid out against their direction. */
  readonly backwards: ReadonlySet<string>
  /** Rows in a state below its name. */
  readonly rowsOf: (state: ChartState) => readonly StateRow[]
}

/** Options for the drawn parts of a machine. */
export interface PartsOptions {
  readonly folded?: ReadonlySet<string>
  readonly detail?: Detail
  /** Whether a transition is drawn; defaults to all. */
  readonly isShown?: (ends: Ends) => boolean
  /** Whether a state's actions are listed; defaults to all states. */
  readonly isDetailed?: (path: string) => boolean
}

/** Id of the node for the machine itself. */
export const ROOT_ID = '(machine)'
/** Id of a state in the graph. */
export const nodeId = (path: string): string => (path === '' ? ROOT_ID : path)

/** Returns a machine's states and arrows; arrows into a folded state end at it. */
export function chartParts(chart: MachineChart, options: PartsOptions = {}): ChartParts {
  const { folded = new Set(), detail = 'brief', isShown = () => true, isDetailed = () => true } = options
  const states = new Map<string, ChartState>()
  const collect = (state: ChartState) => {
    states.set(state.path, state)
    if (!folded.has(state.path)) state.states.forEach(collect)
  }
  collect(chart.root)
  const { edges, own } = collectEdges(chart, { states, folded, detail, isShown })
  const backwards = backwardArrows(chart.root, [...edges.values()])
  const rowsOf = (state: ChartState) => (isDetailed(state.path) ? stateRows(state, detail) : [])
  return { chart, states, folded, detail, edges, own, backwards, rowsOf }
}

/** Returns the innermost drawn state that is or contains the one at this path. */
export function drawnPath(path: string, states: ReadonlyMap<string, unknown>): string {
  let at = path
  while (!states.has(at) && at !== '') at = at.slice(0, Math.max(0, at.lastIndexOf('.')))
  return at
}

interface Draft {
  readonly id: string
  readonly source: string
  readonly target: string
  readonly found: Found[]
  readonly ends: Ends[]
}

type Drawn = Required<Omit<PartsOptions, 'isDetailed'>> & Pick<ChartParts, 'states'>

function collectEdges(chart: MachineChart, drawn: Drawn): Pick<ChartParts, 'edges' | 'own'> {
  const drafts = new Map<string, Draft>()
  const own = new Map<string, OwnFound[]>()
  const all = new Map<string, ChartState>()
  visit(chart.root, state => all.set(state.path, state))
  for (const state of all.values()) {
    for (const found of namedTransitions(chart.id, state)) {
      for (const target of found.targets.filter(path => all.has(path))) {
        const ends = { name: found.name, source: state.path, target }
        if (!drawn.isShown(ends)) continue
        const { name, event, guard } = found
        place({ name, event, guard }, ends)
      }
    }
  }
  function place(found: Found, ends: Ends): void {
    const { source, target } = ends
    const arrow = lifted(source, target)
    const isArrow = arrow && all.get(arrow.container)?.type !== 'parallel'
    const at = isArrow ? arrow.container : source
    // Nothing within a folded state is visible.
    if (!drawn.states.has(at) || (isArrow && drawn.folded.has(at))) return
    if (isArrow) return push(drafts, arrow.from, arrow.to, found, ends)
    own.set(source, [...(own.get(source) ?? []), { ...found, leads: leadsTo(ends) }])
  }
  return {
    edges: new Map([...drafts].map(([id, draft]) => [id, finished(draft, drawn.detail)])),
    own: new Map([...own].map(([path, found]) => [path, ownLines(found, drawn.detail)])),
  }
}

/** Returns where a transition within a state leads, relative to the state. */
function leadsTo({ source, target }: Ends): string {
  if (target === source) return ''
  if (source === '') return target
  return target.startsWith(`${source}.`) ? target.slice(source.length + 1) : target
}

function push(drafts: Map<string, Draft>, from: string, to: string, found: Found, ends: Ends): void {
  const id = `${nodeId(from)}→${nodeId(to)}`
  const draft = drafts.get(id) ?? { id, source: from, target: to, found: [], ends: [] }
  draft.found.push(found)
  draft.ends.push(ends)
  drafts.set(id, draft)
}

function finished({ found, ...rest }: Draft, detail: Detail): ChartEdge {
  return {
    ...rest,
    texts: found.map(transitionText),
    names: found.map(({ name }) => name),
    timed: found.some(({ event }) => event.startsWith('after ')),
    lines: edgeLines(found, detail),
  }
}

/** An arrow drawn between two states of one container. */
interface Lifted {
  /** Innermost state that contains both ends. */
  readonly container: string
  /** Children of the container where the arrow starts and ends. */
  readonly from: string
  readonly to: string
}

/** Lifts the ends of a transition to siblings; returns undefined if one end contains the other. */
export function lifted(source: string, target: string): Lifted | undefined {
  const [a, b] = [keysOf(source), keysOf(target)]
  let shared = 0
  while (shared < a.length && shared < b.length && a[shared] === b[shared]) shared += 1
  if (shared === a.length || shared === b.length) return undefined
  const path = (keys: readonly string[], length: number) => keys.slice(0, length).join('.')
  return { container: path(a, shared), from: path(a, shared + 1), to: path(b, shared + 1) }
}

const keysOf = (path: string): readonly string[] => (path === '' ? [] : path.split('.'))

/** Returns the path of the parent of the state at this path. */
export const containerOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('.')))

interface Arrow {
  readonly id: string
  readonly source: string
  readonly target: string
}

/** Returns ids of the arrows that close a cycle when walking from each initial child. */
function backwardArrows(root: ChartState, arrows: readonly Arrow[]): ReadonlySet<string> {
  const within = Map.groupBy(arrows, arrow => containerOf(arrow.source))
  const found = new Set<string>()
  visit(root, container => {
    for (const id of backwardsIn(container, within.get(container.path) ?? [])) found.add(id)
  })
  return found
}

/** Visits the state and its descendants, outer ones first. */
export function visit(state: ChartState, take: (state: ChartState) => void): void {
  take(state)
  for (const child of state.states) visit(child, take)
}

function backwardsIn(container: ChartState, arrows: readonly Arrow[]): readonly string[] {
  const out = Map.groupBy(arrows, arrow => arrow.source)
  const state = new Map<string, 'open' | 'done'>()
  const backwards: string[] = []
  const walk = (path: string) => {
    if (state.has(path)) return
    state.set(path, 'open')
    for (const arrow of out.get(path) ?? []) {
      if (state.get(arrow.target) === 'open') backwards.push(arrow.id)
      else walk(arrow.target)
    }
    state.set(path, 'done')
  }
  const initial = container.states.filter(child => child.key === container.initial)
  for (const child of [...initial, ...container.states]) walk(child.path)
  return backwards
}
