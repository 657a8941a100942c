// What is worked out of a whole trace away from the page's thread: the questions, and what answers them.
import type { ChartChange } from '../../../trace/chart-diff.ts'
import type { AssertionResult } from '../../../trace/assert/report.ts'
import type { CoverageReport } from '../../../trace/coverage.ts'
import type { ExportFormat } from '../../../trace/exports/export-trace.ts'
import type { Divergence, MachineDifference, ReplayReport } from '../../../replay.ts'
import type { AlignedRun } from './align.ts'
import type { ToldStep } from './told-steps.ts'

/** Which steps are meant: all, those of a time, or those that a query found. */
export type Part =
  | { readonly kind: 'all' }
  | { readonly kind: 'range'; readonly from: number; readonly until: number }
  | { readonly kind: 'steps'; readonly seqs: Uint32Array }

/** How the source of a test comes by its system. */
export interface SystemImport {
  readonly import: string
  readonly name: string
}

export interface Jobs {
  check: {
    readonly ask: {
      readonly file: Blob
      /** As their author wrote them; they were read before. */
      readonly assertions: readonly unknown[]
      /** Whether the client's invariants are held against it as well. */
      readonly invariants: boolean
    }
    readonly answer: { readonly results: readonly AssertionResult[]; readonly steps: number }
  }
  cover: {
    readonly ask: { readonly files: readonly { readonly name: string; readonly blob: Blob }[] }
    readonly answer: {
      readonly report: CoverageReport
      /** Files that could not be read, with the reason. */
      readonly unusable: readonly { readonly name: string; readonly reason: string }[]
    }
  }
  verify: { readonly ask: { readonly file: Blob }; readonly answer: Verified }
  minimise: {
    readonly ask: {
      readonly file: Blob
      readonly assertions: readonly unknown[]
      /** Names of those that are to go on failing, of invariants too. */
      readonly fails: readonly string[]
    }
    readonly answer: Minimised
  }
  test: {
    readonly ask: {
      readonly file: Blob
      readonly title: string
      /** Paths of actors whose states are expected; absent for all. */
      readonly only?: readonly string[]
      readonly system: SystemImport
    }
    /** `problem` says why it will fail with the machines as they are. */
    readonly answer: { readonly text: string; readonly problem?: string }
  }
  steps: {
    readonly ask: { readonly file: Blob; readonly part: Part }
    readonly answer: { readonly steps: readonly ToldStep[]; readonly more: number; readonly code: string }
  }
  export: {
    readonly ask: {
      readonly file: Blob
      readonly format: ExportFormat
      readonly diagram: 'sequence' | 'state'
      /** Of SCXML and diagrams of states. */
      readonly machine?: string
      readonly part: Part
    }
    readonly answer: { readonly blob: Blob }
  }
}

export type JobKind = keyof Jobs
export type Ask<K extends JobKind> = Jobs[K]['ask']
export type Answer<K extends JobKind> = Jobs[K]['answer']

/** What came of a replay. */
export interface Verified {
  readonly outcome: ReplayReport['outcome']
  readonly system: string
  /** Why it could not be replayed, or nothing was compared. */
  readonly reason?: string
  readonly stimuli: number
  /** How many steps, or of a recording without steps keyframes, were compared and the same. */
  readonly compared: number
  readonly keyframes?: number
  readonly machines: readonly MachineDifference[]
  /** What changed in machines although everything came out the same, and steps that came by another way. */
  readonly notes: readonly string[]
  readonly divergence?: Divergence
  /** The same in lines, as the command line says it. */
  readonly words?: readonly string[]
  /** Both runs side by side. */
  readonly runs?: AlignedRun
  /** How the run went on after the first difference. */
  readonly after?: Afterwards
}

/** What became of the run after the first difference. */
export interface Afterwards {
  readonly placed: number
  /** What was recorded and found no taker, in sentences, and how many more of it. */
  readonly unplaced: readonly { readonly seq: number; readonly words: string }[]
  readonly more: number
  /** Actors that ended in another state. */
  readonly final: readonly { readonly actor: string; readonly was: string; readonly is: string }[]
  readonly changes: readonly ChartChange[]
}

/** `fails` are the names of what it was searched for. */
export type Minimised = { readonly fails: readonly string[] } & (
  | { readonly outcome: 'unusable'; readonly reason: string }
  | { readonly outcome: 'fine' }
  | {
      readonly outcome: 'minimised'
      readonly file: Blob
      readonly kept: number
      readonly of: number
      readonly tried: number
      readonly isOneMinimal: boolean
      readonly steps: readonly ToldStep[]
    }
)

type Searched = { readonly phase: 'done'; readonly answer: Minimised } | { readonly phase: string }

/** The answer, where it is about these assertions: it stays when another one is chosen. */
export function searchedFor(state: Searched, fails: readonly string[]): Minimised | undefined {
  if (!('answer' in state)) return undefined
  const { answer } = state
  const isSame = answer.fails.length === fails.length && fails.every(name => answer.fails.includes(name))
  return isSame ? answer : undefined
}

/** How far a job is: from 0 to 1 where that is known, and in words. */
export interface JobProgress {
  readonly share?: number
  readonly words?: string
}
export type Tell = (progress: JobProgress) => void

export type ToJudge =
  | { readonly kind: 'do'; readonly job: JobKind; readonly ask: Ask<JobKind> }
  /** Ends with what was found so far. */
  | { readonly kind: 'stop' }

export type FromJudge =
  | { readonly kind: 'progress'; readonly progress: JobProgress }
  | { readonly kind: 'done'; readonly answer: Answer<JobKind> }
  | { readonly kind: 'failed'; readonly message: string }
