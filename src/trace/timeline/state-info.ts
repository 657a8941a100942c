// A state value with its label and paths, computed once however many steps have it.
import type { StateValue } from '../format/records.ts'
import { activePaths, leafPaths, stateLabel } from './state-value.ts'

export interface StateInfo {
  /** Absent for actors without states. */
  readonly value: StateValue | undefined
  /** `a(x.b, y.c)`; empty for actors without states. */
  readonly label: string
  /** Active states, parents before children. */
  readonly paths: readonly string[]
  /** The innermost active states. */
  readonly leaves: readonly string[]
}

export const NO_STATE: StateInfo = { value: undefined, label: '', paths: [], leaves: [] }

export const stateInfo = (value: StateValue): StateInfo => ({
  value,
  label: stateLabel(value),
  paths: activePaths(value),
  leaves: leafPaths(value),
})
