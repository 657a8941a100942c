// Message types of jobs that run on a whole trace outside the page's thread.
import type {
  AssertionResult,
  ChartChange,
  CoverageReport,
  ExportFormat,
  NamedImport,
  TraceChange,
  TraceDiff,
} from '../../../trace/index.ts'
import type { Divergence, MachineDifference, ReplayReport } from '../../../services/replay/index.ts'
import type { Examined, Incident } from '../../../services/reports/judge.ts'
import type { AlignedRow, AlignedRun, Cell } from './align.ts'
import type { DescribedStep } from './described-steps.ts'

/** The steps to include: all, those in a time range, or those matching a query. */
export type Part =
  | { readonly kind: 'all' }
  | { readonly kind: 'range'; readonly from: number; readonly until: number }
  | { readonly kind: 'steps'; readonly seqs: Uint32Array }

export interface Jobs {
  check: {
    readonly ask: {
      readonly file: Blob
      /** As written by their author; already validated. */
      readonly assertions: readonly unknown[]
      /** Whether the client's invariants are checked as well. */
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
  minimize: {
    readonly ask: {
      readonly file: Blob
      readonly assertions: readonly unknown[]
      /** Names of the assertions and invariants that must keep failing. */
      readonly fails: readonly string[]
    }
    readonly answer: Minimized
  }
  test: {
    readonly ask: {
      readonly file: Blob
      readonly title: string
      /** Paths of actors whose states are asserted; undefined for all. */
      readonly only?: readonly string[]
      readonly system: NamedImport
      /** Name of the trace file that the test may play, in the folder of the test. */
      readonly recording: string
    }
    /** `problem` is why the test will fail with the current machines, `recording` the file that it plays. */
    readonly answer: { readonly text: string; readonly problem?: string; readonly recording?: string }
  }
  steps: {
    readonly ask: { readonly file: Blob; readonly part: Part }
    readonly answer: {
      readonly steps: readonly DescribedStep[]
      readonly more: number
      readonly code: string
    }
  }
  export: {
    readonly ask: {
      readonly file: Blob
      readonly format: ExportFormat
      readonly diagram: 'sequence' | 'state'
      /** For SCXML and state diagrams. */
      readonly machine?: string
      readonly part: Part
    }
    readonly answer: { readonly blob: Blob }
  }
  /** Compares the shown recording (A) with another one (B). */
  compare: {
    readonly ask: { readonly file: Blob; readonly other: File }
    readonly answer: Compared
  }
  /** What the recording of a report shows, and whether its failure still occurs with these machines. */
  examine: { readonly ask: { readonly file: Blob; readonly incident: Incident }; readonly answer: Examined }
}

export type JobKind = keyof Jobs
export type Ask<K extends JobKind> = Jobs[K]['ask']
export type Answer<K extends JobKind> = Jobs[K]['answer']

/** Result of a comparison. */
export interface Compared {
  /** File name of the other recording. */
  readonly name: string
  readonly diff: TraceDiff
  /** Both recordings, aligned. */
  readonly runs: AlignedRun
  readonly first?: FirstDifference
}

/** The first difference of two recordings. */
export interface FirstDifference extends Pick<AlignedRow, 'was' | 'is'> {
  /** Number of events before it that have the same types and states. */
  readonly after: number
  readonly changes: readonly TraceChange[]
  /** Whether all events and states are the same, in the order of their actors. */
  readonly isOnlyValues: boolean
  /** Why the recordings differ, as sentences. */
  readonly reasons: readonly string[]
  /** Steps that led to it in each recording; empty where it has no such step. */
  readonly causes: { readonly a: readonly Cell[]; readonly b: readonly Cell[] }
}

/** Result of a replay. */
export interface Verified {
  readonly outcome: ReplayReport['outcome']
  readonly system: string
  /** Why it could not be replayed, or nothing was compared. */
  readonly reason?: string
  readonly stimuli: number
  /** Number of identical steps, or of identical keyframes in a recording without steps. */
  readonly compared: number
  readonly keyframes?: number
  readonly machines: readonly MachineDifference[]
  /** Machine changes without an effect on this run, and steps that took another path. */
  readonly notes: readonly string[]
  readonly divergence?: Divergence
  /** The same as lines, as in the command line. */
  readonly words?: readonly string[]
  /** Both runs, aligned. */
  readonly runs?: AlignedRun
  /** What followed the first difference. */
  readonly after?: Afterwards
}

/** The run after the first difference. */
export interface Afterwards {
  readonly placed: number
  /** Recorded inputs that could not be matched, as sentences, and how many more there are. */
  readonly unplaced: readonly { readonly seq: number; readonly words: string }[]
  readonly more: number
  /** Actors that ended in a different state. */
  readonly final: readonly { readonly actor: string; readonly was: string; readonly is: string }[]
  readonly changes: readonly ChartChange[]
}

/** `fails` are the names it was minimized for. */
export type Minimized = { readonly fails: readonly string[] } & (
  | { readonly outcome: 'unusable'; readonly reason: string }
  | { readonly outcome: 'fine' }
  | {
      readonly outcome: 'minimized'
      readonly file: Blob
      readonly kept: number
      readonly of: number
      readonly tried: number
      readonly isOneMinimal: boolean
      readonly steps: readonly DescribedStep[]
    }
)

/** Returns the result if it is about these assertions: it is kept when others are selected. */
export function searchedFor(answer: Minimized | undefined, fails: readonly string[]): Minimized | undefined {
  if (!answer) return undefined
  const isSame = answer.fails.length === fails.length && fails.every(name => answer.fails.includes(name))
  return isSame ? answer : undefined
}

/** Progress of a job: from 0 to 1 if known, and as text. */
export interface JobProgress {
  readonly share?: number
  readonly words?: string
}
export type Tell = (progress: JobProgress) => void

export type ToChecker =
  | { readonly kind: 'do'; readonly job: JobKind; readonly ask: Ask<JobKind> }
  /** Ends with what was found so far. */
  | { readonly kind: 'stop' }

export type FromChecker =
  | { readonly kind: 'progress'; readonly progress: JobProgress }
  | { readonly kind: 'done'; readonly answer: Answer<JobKind> }
  | { readonly kind: 'failed'; readonly message: string }
