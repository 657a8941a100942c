// Formats values, transitions and changes of machines as text.
import type { ChartChange } from './chart-diff.ts'
import type { NamedTransition } from './chart-states.ts'
import { jsonText } from '../codec/json-text.ts'

/** Formats a value as JSON, truncated if long. */
export function short(value: unknown, most = 80): string {
  const text = value === undefined ? 'absent' : jsonText(value)
  return text.length > most ? `${text.slice(0, most - 3)}...` : text
}

/** `exchanging#1 send.answered [isComplete] → answered / setStatus`. */
export function describeTransition({ name, event, guard, targets, actions }: NamedTransition): string {
  const to = targets.length === 0 ? '' : ` → ${targets.join(', ')}`
  const actionText = actions.length === 0 ? '' : ` / ${actions.join(', ')}`
  return `${name} ${event}${guard === undefined ? '' : ` [${guard}]`}${to}${actionText}`
}

/** Formats a change as one line. */
export function describeChange({ machine, state, what, was, is, parts = [] }: ChartChange): string {
  const place = [machine, ...(state === '' ? [] : [state])].join(' ')
  if (was === undefined) return `${place}: ${what} added: ${partInWords(is)}`
  if (is === undefined) return `${place}: ${what} removed: ${partInWords(was)}`
  const which = parts.length > 0 ? `${parts.join(' and ')} of a ${what}` : what
  const shown = [was, is].map(part => [partInWords(part), ...unnamed(part, parts)].join(', '))
  return `${place}: ${which}: was ${shown[0]}, is ${shown[1]}`
}

type Part = NonNullable<ChartChange['was']>

const partInWords = (value: Part | undefined) =>
  value === undefined ? 'none' : 'name' in value ? describeTransition(value) : short(value)

/** The changed parts that the transition's text does not show. */
function unnamed(part: Part, parts: NonNullable<ChartChange['parts']>): string[] {
  if (!('name' in part)) return []
  const { delay, event, reenter } = part
  const isNamed = delay === undefined || event === `after ${delay}`
  return [
    ...(parts.includes('delay') && !isNamed ? [`${delay} ms`] : []),
    ...(parts.includes('reenter') ? [reenter ? 're-entering' : 'not re-entering'] : []),
  ]
}
