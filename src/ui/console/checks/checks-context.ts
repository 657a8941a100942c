// Contexts of the checks: results, the user's assertions and the trace file for jobs, and the failures that
// views mark.
import { createContext, useContext } from 'react'
import type { Assertion, AssertionResult } from '../../../trace/index.ts'
import type { JobRunner } from './job-runner.ts'
import type { JobProgress } from './jobs.ts'

/** Parsed assertions; if anything is wrong with the text, none are used. */
export interface OwnAssertions {
  readonly assertions: readonly Assertion[]
  /** Problems, each with its position. */
  readonly problems: readonly string[]
}

/** Check results of a trace. */
export interface Standing {
  readonly results: readonly AssertionResult[]
  /** Number of checked steps. */
  readonly steps: number
  /** Total number of steps. */
  readonly of: number
}

/**
 * `watching`: checks as the trace grows. `asking`: waits for the user, because it is slow or needs a replay.
 * `going`: running. `done`, `failed`: finished.
 */
export type Checking =
  | { readonly phase: 'watching' | 'done' }
  | { readonly phase: 'asking'; readonly why: string }
  | { readonly phase: 'going'; readonly progress: JobProgress }
  | { readonly phase: 'failed'; readonly message: string }

export interface ChecksValue {
  readonly standing: Standing
  readonly checking: Checking
  /** Runs a check that waits for the user. */
  readonly check: () => void
  readonly cancel: () => void
  /** Whether the client's invariants apply to the shown trace. */
  readonly hasInvariants: boolean
  readonly own: OwnAssertions
  /** The text as typed. */
  readonly ownText: string
  /** Checks the trace against these assertions from now on and stores them. */
  readonly keepOwn: (text: string) => void
  /**
   * Returns the whole shown trace as a file. It contains no secrets, because they were removed when
   * recording.
   */
  readonly file: () => Promise<Blob>
  readonly fileName: string
  /** Opens a file. */
  readonly open: (file: File) => void
  /** Jobs on the trace. */
  readonly runner: JobRunner
}

export const ChecksContext = createContext<ChecksValue | undefined>(undefined)

export function useChecksContext(): ChecksValue {
  const value = useContext(ChecksContext)
  if (!value) throw new Error('useChecksContext must be used inside the console')
  return value
}

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

interface Verdicts {
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
