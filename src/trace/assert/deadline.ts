// Deadlines of formulas: their clocks and their text.
import type { Within } from './language.ts'
import { type Deadline, type DeadlineOf, timeOf } from './monitor.ts'
import type { ObservedStep } from './steps.ts'
import { milliseconds, timeInWords } from './values.ts'

type Amount = number | string | ((trigger: ObservedStep) => number)

/** Compiles a deadline; returns no deadline if none is given. */
export function deadlines(within: Within | undefined): DeadlineOf {
  if (within === undefined) return () => undefined
  const [clock, amount] = onClock(within)
  const spanOf = typeof amount === 'function' ? amount : () => milliseconds(amount) ?? Infinity
  return (trigger, since = timeOf(clock, trigger)) => {
    const span = spanOf(trigger)
    return { clock, span, at: since + span }
  }
}

/** The clock of a deadline. */
export const clockOf = (within: Within): Deadline['clock'] => onClock(within)[0]

function onClock(within: Within): [Deadline['clock'], Amount] {
  if (typeof within !== 'object') return ['time', within]
  return 'steps' in within ? ['steps', within.steps] : ['awake', within.awake]
}

/** Formats a deadline: `30 s`, `20 steps`, `30 s awake`. */
export function describeSpan({ clock, span }: Deadline): string {
  return clock === 'steps' ? `${span} steps` : `${timeInWords(span)}${clock === 'awake' ? ' awake' : ''}`
}

/** Formats a deadline whose start is not known yet. */
export function describeWithin(within: Within | undefined): string {
  if (within === undefined) return ''
  const [clock, amount] = onClock(within)
  if (typeof amount === 'function') return ' in time'
  return ` within ${describeSpan({ clock, at: 0, span: milliseconds(amount) ?? Infinity })}`
}
