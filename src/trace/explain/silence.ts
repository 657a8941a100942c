// Why an event had no effect: a guard that did not hold, or a state that does not handle it.
import { activeNodePaths } from '../charts/taken-transitions.ts'
import type { ChartTransition } from '../format/chart.ts'
import type { StepRecord } from '../format/records.ts'
import { leafPaths } from '../timeline/state-value.ts'
import { shortName } from './client-subjects.ts'
import { type History, isStart } from './history.ts'
import { orList, quoted } from './words.ts'

/** Whether a machine received an event and took no transition. */
export function isSilent(history: History, step: StepRecord): boolean {
  const { event, status, changed } = step
  if (changed || status !== 'active' || isStart(step) || !history.isMachine(step.actor)) return false
  return !event.type.startsWith('xstate.') && history.taken(step).length === 0
}

/** The transitions of active states that the event would have taken if their guards had held. */
export function refusedTransitions(history: History, step: StepRecord): readonly ChartTransition[] {
  return [...new Set(activeNodePaths(step.value))]
    .flatMap(path => history.state(step, path)?.transitions ?? [])
    .filter(({ event, guard }) => guard !== undefined && fits(event, step.event.type))
}

const fits = (descriptor: string, type: string): boolean =>
  descriptor === type ||
  descriptor === '*' ||
  (descriptor.endsWith('.*') && `${type}.`.startsWith(descriptor.slice(0, -1)))

/** Says why nothing happened; undefined if something did. */
export function silenceInWords(history: History, step: StepRecord): string | undefined {
  if (!isSilent(history, step)) return undefined
  const event = quoted(step.event.type)
  const name = quoted(shortName(history, step))
  const states = leafPaths(step.value).map(quoted).join(' and ') || 'its state'
  const refused = refusedTransitions(history, step)
  if (refused.length > 0) {
    const guards = refused.flatMap(({ guard }) => (guard !== undefined && isName(guard) ? [guard] : []))
    const condition = guards.length === 0 ? 'a condition' : `the condition ${orList(guards.map(quoted))}`
    return `Nothing happened on ${event}: in ${states}, ${name} handles it only if ${condition} holds, which it did not`
  }
  const others = statesThatHandle(history, step)
  if (others.length === 0) return `Nothing happened on ${event}: no state of ${name} handles it`
  return `Nothing happened on ${event}: ${name} was in ${states} and handles it only in ${orList(others.map(quoted))}`
}

const isName = (guard: string): boolean => /^[\w.$-]+$/.test(guard) && !guard.startsWith('xstate.')

const statesThatHandle = (history: History, step: StepRecord): readonly string[] =>
  [...history.states(step).values()]
    .filter(
      ({ path, transitions }) => path !== '' && transitions.some(({ event }) => fits(event, step.event.type)),
    )
    .map(({ path }) => path)
