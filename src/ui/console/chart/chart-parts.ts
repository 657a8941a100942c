// What of a machine is drawn: its states, and arrows between those that are not folded away.
import { namedTransitions } from '../../../trace/chart-states.ts'
import type { ChartState, MachineChart } from '../../../trace/format.ts'
import { eventText, type EdgeLine } from './chart-words.ts'
import { backwardArrows } from './edge-direction.ts'

/** An arrow from a state to another with every transition that takes it. */
export interface ChartEdge {
  readonly id: string
  readonly source: string
  readonly target: string
  /** Transitions as `event [guard]`, in order of declaration. */
  readonly texts: readonly string[]
  /** Names of the transitions: `path#n`. */
  readonly names: readonly string[]
  /** Whether some of them leave their state and enter it anew. */
  readonly reenters: boolean
  /** Whether a delay stands on it, so that there must be room for what is left of it. */
  readonly timed: boolean
  readonly lines: readonly EdgeLine[]
}

export interface ChartParts {
  readonly chart: MachineChart
  /** States that are drawn, by path, outer ones first. */
  readonly states: ReadonlyMap<string, ChartState>
  /** Paths of states that are drawn without those in them. */
  readonly folded: ReadonlySet<string>
  readonly edges: ReadonlyMap<string, ChartEdge>
  /** Arrows that are laid out against their direction. */
  readonly backwards: ReadonlySet<string>
}

/** Id of the node that stands for the machine itself. */
export const ROOT_ID = '(machine)'
/** Id of a state in the graph. */
export const nodeId = (path: string): string => (path === '' ? ROOT_ID : path)

const LABEL_LINES = 4
const LONG_LINE = 16

/** The states and arrows of a machine; those in folded states go to these. */
export function chartParts(chart: MachineChart, folded: ReadonlySet<string> = new Set()): ChartParts {
  const states = new Map<string, ChartState>()
  const collect = (state: ChartState) => {
    states.set(state.path, state)
    if (!folded.has(state.path)) state.states.forEach(collect)
  }
  collect(chart.root)
  const edges = collectEdges(chart, states)
  const backwards = backwardArrows(chart.root, [...edges.values()])
  return { chart, states, folded, edges, backwards }
}

/** The innermost drawn state that is or holds the one at this path. */
export function drawnPath(path: string, states: ReadonlyMap<string, unknown>): string {
  let at = path
  while (!states.has(at)) at = at.slice(0, Math.max(0, at.lastIndexOf('.')))
  return at
}

interface Draft {
  readonly id: string
  readonly source: string
  readonly target: string
  readonly found: { text: string; line: string; guard: string | undefined; name: string }[]
  reenters: boolean
  timed: boolean
}

function collectEdges(
  chart: MachineChart,
  states: ReadonlyMap<string, ChartState>,
): ReadonlyMap<string, ChartEdge> {
  const drafts = new Map<string, Draft>()
  const all = new Map<string, ChartState>()
  visit(chart.root, state => all.set(state.path, state))
  for (const state of all.values()) {
    for (const { name, event, guard, targets, reenter } of namedTransitions(chart.id, state)) {
      for (const target of targets.filter(path => all.has(path))) {
        const [from, to] = [drawnPath(state.path, states), drawnPath(target, states)]
        // Within a folded state there is nothing to be seen of it.
        if (from === to && (from !== state.path || from !== target)) continue
        const id = `${nodeId(from)}→${nodeId(to)}`
        const draft = drafts.get(id) ?? {
          id,
          source: from,
          target: to,
          found: [],
          reenters: false,
          timed: false,
        }
        const text = guard === undefined ? event : `${event} [${guard}]`
        draft.found.push({ text, line: eventText({ event }), guard, name })
        draft.reenters ||= reenter === true
        draft.timed ||= event.startsWith('after ')
        drafts.set(id, draft)
      }
    }
  }
  return new Map([...drafts].map(([id, draft]) => [id, finished(draft)]))
}

function visit(state: ChartState, take: (state: ChartState) => void): void {
  take(state)
  for (const child of state.states) visit(child, take)
}

function finished({ found, ...rest }: Draft): ChartEdge {
  return {
    ...rest,
    texts: found.map(({ text }) => text),
    names: found.map(({ name }) => name),
    lines: edgeLines(found),
  }
}

/** The lines of an arrow's label; a long list is cut and counted. */
function edgeLines(found: Draft['found']): readonly EdgeLine[] {
  const groups = [...Map.groupBy(found, ({ text }) => text).values()]
  const shown = groups.length <= LABEL_LINES ? groups : groups.slice(0, LABEL_LINES - 1)
  const rest = groups.slice(shown.length)
  const more: readonly EdgeLine[] =
    rest.length === 0
      ? []
      : [{ text: `+${rest.length} more`, kind: 'more', names: rest.flat().map(({ name }) => name) }]
  return [...shown.flatMap(broken), ...more]
}

/** A long text on two lines, its guard on the second: width is what charts lack. */
function broken(group: Draft['found']): readonly EdgeLine[] {
  const [first] = group
  if (!first) return []
  const names = group.map(({ name }) => name)
  const { line, guard } = first
  if (guard === undefined) return [{ text: line, kind: 'event', names }]
  const whole = `${line} [${guard}]`
  if (whole.length <= LONG_LINE) return [{ text: whole, kind: 'event', names }]
  return [
    { text: line, kind: 'event', names },
    { text: `[${guard}]`, kind: 'guard', names },
  ]
}
