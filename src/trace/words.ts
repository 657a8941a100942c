// Values, transitions and changes of machines in words.
import type { ChartChange } from './chart-diff.ts'
import type { NamedTransition } from './chart-states.ts'
import { jsonText } from './json-text.ts'

/** A value as JSON, cut off where it gets long. */
export function short(value: unknown, most = 80): string {
  const text = value === undefined ? 'absent' : jsonText(value)
  return text.length > most ? `${text.slice(0, most - 3)}...` : text
}

/** `exchanging#1 send.answered [isGood] → answered / keepStatus`. */
export function transitionInWords({ name, event, guard, targets, actions }: NamedTransition): string {
  const to = targets.length === 0 ? '' : ` → ${targets.join(', ')}`
  const does = actions.length === 0 ? '' : ` / ${actions.join(', ')}`
  return `${name} ${event}${guard === undefined ? '' : ` [${guard}]`}${to}${does}`
}

/** A change in one line. */
export function changeInWords({ machine, state, what, was, is, parts }: ChartChange): string {
  const place = [machine, ...(state === '' ? [] : [state])].join(' ')
  if (was === undefined) return `${place}: ${what} added: ${partInWords(is)}`
  if (is === undefined) return `${place}: ${what} gone: ${partInWords(was)}`
  const which = parts && parts.length > 0 ? `${parts.join(' and ')} of a ${what}` : what
  return `${place}: ${which}: was ${partInWords(was)}, is ${partInWords(is)}`
}

function partInWords(value: ChartChange['was']): string {
  if (value === undefined) return 'none'
  return 'name' in value ? transitionInWords(value) : short(value)
}
