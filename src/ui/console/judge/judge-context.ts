// What the views of judging share: how the shown trace stands, the user's assertions, and its file for jobs.
import { createContext, useContext } from 'react'
import type { Assertion } from '../../../trace/assert/formulas.ts'
import type { AssertionResult } from '../../../trace/assert/report.ts'
import type { JobDesk } from './job-desk.ts'
import type { JobProgress } from './jobs.ts'

/** A text as far as it can be read; none of it is used when anything is wrong with it. */
export interface OwnAssertions {
  readonly assertions: readonly Assertion[]
  /** What is wrong, each with its place. */
  readonly problems: readonly string[]
}

/** How a trace stands. */
export interface Standing {
  readonly results: readonly AssertionResult[]
  /** Steps that were looked at. */
  readonly steps: number
  /** Steps that there are. */
  readonly of: number
}

/**
 * `watching`: as the trace grows. `asking`: only when somebody asks, since it takes long or needs a replay. `going`:
 * it was asked. `done`, `failed`: what came of that.
 */
export type Checking =
  | { readonly phase: 'watching' | 'done' }
  | { readonly phase: 'asking'; readonly why: string }
  | { readonly phase: 'going'; readonly progress: JobProgress }
  | { readonly phase: 'failed'; readonly message: string }

export interface JudgeValue {
  readonly standing: Standing
  readonly checking: Checking
  /** Checks what is only checked when somebody asks. */
  readonly check: () => void
  readonly cancel: () => void
  /** Whether the client's invariants are about what is shown. */
  readonly hasInvariants: boolean
  readonly own: OwnAssertions
  /** As it was written. */
  readonly ownText: string
  /** Holds the trace against these from now on, and keeps them. */
  readonly keepOwn: (text: string) => void
  /** All of the shown trace as a file. Without secrets, as it was recorded. */
  readonly file: () => Promise<Blob>
  readonly fileName: string
  /** Shows a file. */
  readonly open: (file: File) => void
  /** What is worked out of it. */
  readonly desk: JobDesk
}

export const JudgeContext = createContext<JudgeValue | undefined>(undefined)

export function useJudge(): JudgeValue {
  const value = useContext(JudgeContext)
  if (!value) throw new Error('useJudge is for views inside the console')
  return value
}
