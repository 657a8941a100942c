// What was found wrong with the shown trace, for every view that marks it.
import { createContext, useContext } from 'react'

/** A step at which an invariant of the client, or an assertion of the user, was broken. */
export interface Finding {
  /** Number of the view at which it showed. */
  readonly seq: number
  /** Index of the actor that it is about. */
  readonly actor: number
  /** Of the invariant or assertion. */
  readonly name: string
  /** What is wrong, in a sentence. */
  readonly text: string
  readonly kind: 'invariant' | 'assertion'
}

export interface Verdicts {
  /** By number of the view; grows, and is another list when it did. */
  readonly findings: readonly Finding[]
  /** How much of the trace was looked at, from 0 to 1. */
  readonly progress: number
}

/** Nothing was looked at. */
const NO_VERDICTS: Verdicts = { findings: [], progress: 0 }

export const VerdictsContext = createContext<Verdicts>(NO_VERDICTS)

/** The findings so far; the same object until there is news. */
export const useVerdicts = (): Verdicts => useContext(VerdictsContext)
