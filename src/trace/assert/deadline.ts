// Deadlines of formulas: on which clock, and how they are said.
import type { Within } from './language.ts'
import type { Deadline, DeadlineOf } from './monitor.ts'
import { timeOf } from './monitor.ts'
import type { Step } from './steps.ts'
import { milliseconds, timeInWords } from './values.ts'

type Amount = number | string | ((trigger: Step) => number)

/** Reads a deadline; none where none was given. */
export function deadlines(within: Within | undefined): DeadlineOf {
  if (within === undefined) return () => undefined
  const [clock, amount] = onClock(within)
  const spanOf = typeof amount === 'function' ? amount : () => milliseconds(amount) ?? Infinity
  return (trigger, since = timeOf(clock, trigger)) => {
    const span = spanOf(trigger)
    return { clock, span, at: since + span }
  }
}

/** Which clock a deadline is on. */
export const clockOf = (within: Within): Deadline['clock'] => onClock(within)[0]

function onClock(within: Within): [Deadline['clock'], Amount] {
  if (typeof within !== 'object') return ['time', within]
  return 'steps' in within ? ['steps', within.steps] : ['awake', within.awake]
}

/** `30 s`, `20 steps`, `30 s awake`. */
export function spanInWords({ clock, span }: Deadline): string {
  return clock === 'steps' ? `${span} steps` : `${timeInWords(span)}${clock === 'awake' ? ' awake' : ''}`
}

/** A deadline before it is known when it begins. */
export function withinInWords(within: Within | undefined): string {
  if (within === undefined) return ''
  const [clock, amount] = onClock(within)
  if (typeof amount === 'function') return ' in time'
  return ` within ${spanInWords({ clock, at: 0, span: milliseconds(amount) ?? Infinity })}`
}
