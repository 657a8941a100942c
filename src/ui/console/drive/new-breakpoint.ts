// Creates breakpoints from the selected record or from the form.
import type { BreakOn } from '../../../services/control/index.ts'
import {
  type ActorEntry,
  type ChartState,
  leafPaths,
  type MachineChart,
  readAssertions,
  type StateValue,
  type StepRecord,
} from '../../../trace/index.ts'
import { parsed } from './payload.ts'

/** Breaks on the states that the selected record entered, else on its event. */
export function breaksAt(
  actors: readonly ActorEntry[],
  record: Pick<StepRecord, 'actor' | 'event'> & { readonly value?: StateValue | undefined },
  before: StateValue | undefined,
): BreakOn[] {
  const path = actors[record.actor]?.path
  if (path === undefined) return []
  // Another actor of its kind has another number.
  const actor = path.replaceAll(/\.\d+(?=\/|$)/g, '.*').replaceAll(/#\d+/g, '*')
  const was = leafPaths(before)
  const entered = leafPaths(record.value).filter(path => !was.includes(path))
  if (entered.length === 0) return [{ on: 'event', actor, event: record.event.type }]
  return entered.map(state => ({ on: 'state', actor, state }))
}

/** Returns the paths of all states below the root. */
export function statePaths(chart: MachineChart | undefined): string[] {
  const inside = (state: ChartState): string[] => [state.path, ...state.states.flatMap(inside)]
  return chart ? inside(chart.root).slice(1) : []
}

/** Returns all named transitions with their labels. */
export function transitionNames(
  chart: MachineChart | undefined,
): { readonly id: string; readonly label: string }[] {
  const inside = (state: ChartState): { id: string; label: string }[] => [
    ...state.transitions.map(({ event, targets }, n) => ({
      id: `${state.path}#${n}`,
      label: `${state.path || '(root)'}: ${event}${targets.length > 0 ? ` → ${targets.join(', ')}` : ''}`,
    })),
    ...state.states.flatMap(inside),
  ]
  return chart ? inside(chart.root) : []
}

/** Parses a typed assertion; returns the assertion or an error. */
export function assertionOf(
  name: string,
  text: string,
): { readonly where: BreakOn } | { readonly error: string } {
  const json = parsed(text)
  if ('error' in json) return json
  const read = readAssertions([{ name: name.trim() || 'assertion', check: json.value }])
  if (read.kind === 'unusable')
    return {
      error: read.problems
        .map(({ at, message }) => `${at.replace('$[0].check', 'it')}: ${message}`)
        .join('; '),
    }
  const [assertion] = read.assertions
  return assertion ? { where: { on: 'assertion', assertion } } : { error: 'The JSON contains no assertion' }
}
