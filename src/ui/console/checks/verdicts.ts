// The failures found in the shown trace, for every view that marks them.
import { createContext, useContext } from 'react'

/** A step at which a client invariant or a user assertion failed. */
export interface Finding {
  /** Number of the step at which it failed. */
  readonly seq: number
  /** Index of its actor. */
  readonly actor: number
  /** Name of the invariant or assertion. */
  readonly name: string
  /** What is wrong, as a sentence. */
  readonly text: string
  readonly kind: 'invariant' | 'assertion'
}

export interface Verdicts {
  /** By step number; a new list whenever it grows. */
  readonly findings: readonly Finding[]
  /** Checked share of the trace, from 0 to 1. */
  readonly progress: number
}

/** Nothing is checked. */
const NO_VERDICTS: Verdicts = { findings: [], progress: 0 }

export const VerdictsContext = createContext<Verdicts>(NO_VERDICTS)

/** Returns the findings so far; the same object until they change. */
export const useVerdicts = (): Verdicts => useContext(VerdictsContext)
