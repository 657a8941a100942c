// A record's value on one line, which takes limited memory however large the value is.
import type { StepRecord } from '../../../trace/index.ts'
import { describe } from '../state/json-nodes.ts'
import { snapshotOf, valueAt } from '../state/state-path.ts'

export interface ValuePreview {
  /** Empty if there is no value. */
  readonly text: string
  /** Set if the value can be drawn. */
  readonly number?: number
}

/** Returns the value at a pointer into the actor's state after the record: `/state`, or below `/context`. */
export function previewOf(step: StepRecord | undefined, pointer: string): ValuePreview {
  const value = valueAt(snapshotOf(step), pointer)
  if (value === undefined) return { text: '' }
  // A state is a name, not a text.
  const text = pointer === '/state' && typeof value === 'string' ? value : describe(value).preview
  return { text, ...(typeof value === 'number' && Number.isFinite(value) && { number: value }) }
}
