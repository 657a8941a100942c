// What changed in a machine's structure since it was recorded, transition by transition.
import type { ChartState, ChartTransition, MachineChart } from '../../trace/format.ts'

/** A transition by its place in a chart and what stands there. */
export interface NamedTransition extends ChartTransition {
  /** Machine id. */
  readonly machine: string
  /** `path#n`: the n-th transition of the state at that path, counted from 0. */
  readonly name: string
}

/** One difference between two charts of the same machine. */
export interface ChartChange {
  readonly machine: string
  /** Path of the state; empty for the root. */
  readonly state: string
  readonly what: 'state' | 'transition' | 'order' | 'initial' | 'type' | 'entry' | 'exit' | 'invoke'
  /** Absent for what was added. */
  readonly was?: NamedTransition | readonly string[]
  /** Absent for what was removed. */
  readonly is?: NamedTransition | readonly string[]
}

/** A chart's states by path. */
export function statesOf(chart: MachineChart | undefined): ReadonlyMap<string, ChartState> {
  const states = new Map<string, ChartState>()
  const add = (state: ChartState) => {
    states.set(state.path, state)
    for (const child of state.states) add(child)
  }
  if (chart) add(chart.root)
  return states
}

/** The transitions of a state with their names. */
export function namedTransitions(machine: string, state: ChartState | undefined): NamedTransition[] {
  return (state?.transitions ?? []).map((transition, n) => ({
    machine,
    name: `${state?.path ?? ''}#${n}`,
    ...transition,
  }))
}

/** Everything in which two charts of a machine differ, in the order of the states. */
export function chartChanges(then: MachineChart | undefined, now: MachineChart | undefined): ChartChange[] {
  const machine = now?.id ?? then?.id ?? ''
  if (!then || !now || then.hash === now.hash) return []
  const [before, after] = [statesOf(then), statesOf(now)]
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((path): ChartChange[] => {
    const [old, fresh] = [before.get(path), after.get(path)]
    if (!old) return [{ machine, state: path, what: 'state', is: [path] }]
    if (!fresh) return [{ machine, state: path, what: 'state', was: [path] }]
    return [...partChanges(machine, old, fresh), ...transitionChanges(machine, old, fresh)]
  })
}

/** Tells transitions apart by what they do, wherever they stand. */
export function sameTransition(a: ChartTransition, b: ChartTransition): boolean {
  return a.event === b.event && contentOf(a) === contentOf(b)
}

function contentOf({ targets, guard, actions }: ChartTransition): string {
  return JSON.stringify([targets, guard, actions])
}

const PARTS = {
  type: ({ type }: ChartState) => [type],
  initial: ({ initial }: ChartState) => (initial === undefined ? [] : [initial]),
  entry: ({ entry }: ChartState) => entry,
  exit: ({ exit }: ChartState) => exit,
  invoke: ({ invoke }: ChartState) => invoke.map(({ id, src }) => (id === src ? src : `${id}: ${src}`)),
} as const

function partChanges(machine: string, then: ChartState, now: ChartState): ChartChange[] {
  return (Object.keys(PARTS) as (keyof typeof PARTS)[]).flatMap(what => {
    const [old, fresh] = [PARTS[what](then), PARTS[what](now)]
    if (JSON.stringify(old) === JSON.stringify(fresh)) return []
    return [{ machine, state: then.path, what, was: old, is: fresh }]
  })
}

function transitionChanges(machine: string, then: ChartState, now: ChartState): ChartChange[] {
  const state = then.path
  const [before, after] = [namedTransitions(machine, then), namedTransitions(machine, now)]
  const left = [...after]
  const gone = before.filter(old => {
    const at = left.findIndex(one => sameTransition(one, old))
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
  if (gone.length === 0 && left.length === 0) {
    const moved = before.findIndex((old, at) => after[at] && !sameTransition(after[at], old))
    const [old, fresh] = [before[moved], after[moved]]
    return old && fresh ? [{ machine, state, what: 'order', was: old, is: fresh }] : []
  }
  const changed = gone.map((old): ChartChange => {
    const at = left.findIndex(one => one.event === old.event)
    const [fresh] = at < 0 ? [] : left.splice(at, 1)
    return { machine, state, what: 'transition', was: old, ...(fresh && { is: fresh }) }
  })
  return [
    ...changed,
    ...left.map((fresh): ChartChange => ({ machine, state, what: 'transition', is: fresh })),
  ]
}
