// A value of a record in one line, which takes no more room than that however large the value is.
import type { ViewRecord } from '../../../trace/format.ts'
import { describe } from '../state/json-nodes.ts'
import { snapshotOf, valueAt } from '../state/state-path.ts'

export interface Glimpse {
  /** Empty where there is nothing. */
  readonly text: string
  /** For values that can be drawn. */
  readonly number?: number
}

/** What stands at a pointer into what the record left its actor as: `/state`, or below `/context`. */
export function glimpseOf(view: ViewRecord | undefined, pointer: string): Glimpse {
  const value = valueAt(snapshotOf(view), pointer)
  if (value === undefined) return { text: '' }
  // A state is a name, not a text.
  const text = pointer === '/state' && typeof value === 'string' ? value : describe(value).preview
  return { text, ...(typeof value === 'number' && Number.isFinite(value) && { number: value }) }
}
