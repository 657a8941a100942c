// Transitions and changes of machines in words.
import type { ChartChange } from '../trace/chart-diff.ts'
import type { NamedTransition } from '../trace/chart-states.ts'
import { short } from './short.ts'

/** `exchanging#1 send.answered [isGood] → answered / keepStatus`. */
export function transitionInWords({ name, event, guard, targets, actions }: NamedTransition): string {
  const to = targets.length === 0 ? '' : ` → ${targets.join(', ')}`
  const does = actions.length === 0 ? '' : ` / ${actions.join(', ')}`
  return `${name} ${event}${guard === undefined ? '' : ` [${guard}]`}${to}${does}`
}

/** A change in one line. */
export function changeInWords({ machine, state, what, then, now }: ChartChange): string {
  const place = [machine, ...(state === '' ? [] : [state])].join(' ')
  if (then === undefined) return `${place}: ${what} added: ${part(now)}`
  if (now === undefined) return `${place}: ${what} gone: ${part(then)}`
  return `${place}: ${what}: was ${part(then)}, is ${part(now)}`
}

function part(value: ChartChange['then']): string {
  if (value === undefined) return 'none'
  return 'name' in value ? transitionInWords(value) : short(value)
}
