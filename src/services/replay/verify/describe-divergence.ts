// Formats a first difference and its likely cause as text lines.
import {
  type ChartChange,
  describeChange,
  describeTransition,
  short,
  shownState,
} from '../../../trace/index.ts'
import type { DivergenceCause } from './divergence-cause.ts'
import type { Detours } from './detours.ts'
import type { Divergence, StepSummary } from './divergence.ts'

/** Describes what was recorded, what was replayed, the differences, transitions, chart changes and causes. */
export function describeDivergence(divergence: Divergence): string[] {
  const { index, expected, got, differences, problem, chain, cause, between } = divergence
  return [
    between
      ? `first difference between stimulus ${between[0]} and ${between[1]}`
      : `first difference at step ${index}`,
    ...(problem === undefined ? [] : [`  ${problem}`]),
    ...(expected || got ? [`  recorded: ${step(expected)}`, `  replayed: ${step(got)}`] : []),
    ...differences.map(one => `  ${one.path}: ${short(one.expected)} → ${short(one.got)}`),
    ...(cause ? describeCause(cause) : []),
    ...(chain.length === 0 ? [] : [`because: ${chain.join(' → ')}`]),
  ]
}

function step(found: StepSummary | undefined): string {
  if (!found) return 'nothing'
  return `${found.actor} took ${found.event} → ${shownState(found)}`
}

function describeCause({ actor, was, is, changes, likeliest }: DivergenceCause): string[] {
  const others = changes.filter(change => change !== likeliest)
  return [
    ...(was.length + is.length === 0
      ? []
      : [`  transition of ${actor} then: ${inOrder(was)}`, `  transition of ${actor} now:  ${inOrder(is)}`]),
    ...(likeliest ? [`  most likely: ${describeChange(likeliest)}`] : []),
    ...others.map(change => `  ${likeliest ? 'also ' : ''}changed in ${describeChange(change)}`),
    ...(likeliest ? [] : behindNames(was, is, changes.length > 0)),
  ]
}

/** If no chart change is the cause, it is a named implementation or the data that it reads. */
function behindNames(was: DivergenceCause['was'], is: DivergenceCause['is'], isElsewhere: boolean): string[] {
  const names = (all: DivergenceCause['was']) => [
    ...all.flatMap(({ guard }) => (guard === undefined ? [] : [`the guard ${guard}`])),
    ...all.flatMap(({ actions }) => actions.map(action => `the action ${action}`)),
    ...all.flatMap(({ event }) => (event.startsWith('after ') ? [`the delay ${event.slice(6)}`] : [])),
  ]
  const found = [...new Set(names([...was, ...is]))]
  if (found.length === 0) return []
  const structure = isElsewhere ? 'none of these changes affects the step' : 'the structure is unchanged'
  return [`  ${structure}; check ${found.join(', ')}, and the data they read`]
}

/** Describes machine changes that had no effect. */
export function describeSilentChanges(changes: readonly ChartChange[]): string[] {
  return changes.map(change => `changed without effect: ${describeChange(change)}`)
}

/** Describes detours. */
export function describeDetours({ items, more }: Detours): string[] {
  const [first] = items
  if (!first) return []
  const count = items.length + more
  const { index, actor, event, was, is } = first
  return [
    count === 1
      ? 'one step has the same result by another transition'
      : `${count} steps have the same result by another transition; the first:`,
    `  step ${index}: ${actor} took ${event} then by ${inOrder(was)}, and now by ${inOrder(is)}`,
  ]
}

function inOrder(all: DivergenceCause['was']): string {
  return all.length === 0 ? 'none' : all.map(describeTransition).join(', then ')
}
