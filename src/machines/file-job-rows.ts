// The files of a job as plain data, by number: started, conflicting, refused, or to be retried.
import { isRetryable, type Failure } from './failure.ts'

/** What to do when a file with the same name exists. */
export type ConflictAnswer = 'replace' | 'keepBoth' | 'skip'

/** One file of the job, by number. */
export interface FileTask {
  readonly file: number
  readonly onConflict: 'ask' | Exclude<ConflictAnswer, 'skip'>
  /** An earlier attempt has an unknown outcome, so work that is already done is not an error. */
  readonly isRepeat: boolean
}

export interface RefusedFile {
  readonly file: number
  readonly path: string
  readonly message: string
}

/** A file exists at the destination. */
export interface TakenFile {
  readonly file: number
  readonly path: string
  readonly target: string
}

/** The outcome of a portion: the files listed here, and all others are done. */
export interface PortionDone {
  readonly type: 'portion.done'
  readonly refused: readonly RefusedFile[]
  readonly taken: readonly TakenFile[]
  /** No response, or deferred by the backend. */
  readonly delayed: readonly RefusedFile[]
  /** The reason, if any were delayed. */
  readonly failure?: Failure
}

export interface FileJobInput {
  readonly kind: 'delete' | 'move' | 'copy'
  readonly bucket: string
  /** Files per portion. */
  readonly size: number
  readonly seed: number
}

export interface FileJobContext extends FileJobInput {
  /** Files counted so far. */
  readonly found: number
  readonly total: number
  readonly bytes: number
  /** Number of the first file that has not been started. */
  readonly next: number
  /** Started before; these go first. */
  readonly again: readonly FileTask[]
  readonly taken: readonly TakenFile[]
  /** The answer for all further conflicts. */
  readonly forAll: ConflictAnswer | undefined
  readonly done: number
  readonly skipped: number
  readonly refused: readonly RefusedFile[]
  /** Portions in a row without progress. */
  readonly attempt: number
  readonly delay: number
  readonly failure: Failure | undefined
}

/** Portions in a row without progress: about two minutes of a backend that is down. */
const MOST_ATTEMPTS = 9

export const isAllBegun = ({ next, total, again }: FileJobContext): boolean =>
  next >= total && again.length === 0

/** Nothing was refused, and nothing is left. */
export const isAllDone = (context: FileJobContext): boolean =>
  isAllBegun(context) && context.taken.length === 0 && context.refused.length === 0

/** The files of the next portion. */
export function portionOf({ again, next, total, size, forAll }: FileJobContext): readonly FileTask[] {
  if (again.length > 0) return again.slice(0, size)
  const onConflict = forAll === 'replace' || forAll === 'keepBoth' ? forAll : 'ask'
  const end = Math.min(next + size, total)
  return Array.from({ length: end - next }, (_, at) => ({ file: next + at, onConflict, isRepeat: false }))
}

/** Whether delayed files are retried automatically. */
export const mayDelay = ({ attempt }: FileJobContext, { delayed, failure }: PortionDone): boolean =>
  delayed.length > 0 && failure !== undefined && isRetryable(failure) && attempt + 1 < MOST_ATTEMPTS

/** The context after a portion. */
function after(context: FileJobContext, { refused, taken, delayed }: PortionDone) {
  const { again, next, total, size, forAll } = context
  const undone = refused.length + taken.length
  const done = Math.max(0, portionOf(context).length - undone - delayed.length)
  const isSkipped = forAll === 'skip'
  return {
    again: again.slice(size),
    next: again.length > 0 ? next : Math.min(next + size, total),
    done: context.done + done,
    refused: [...context.refused, ...refused],
    taken: isSkipped ? context.taken : [...context.taken, ...taken],
    skipped: context.skipped + (isSkipped ? taken.length : 0),
    attempt: done + undone > 0 ? 0 : context.attempt,
  }
}

/** The context after a portion; files that were delayed too often are refused. */
export function counted(context: FileJobContext, portion: PortionDone): Partial<FileJobContext> {
  const next = after(context, portion)
  return { ...next, refused: [...next.refused, ...portion.delayed], failure: undefined }
}

/** The context after a portion with delayed files, which go first next time. */
export function putBack(context: FileJobContext, portion: PortionDone): Partial<FileJobContext> {
  const next = after(context, portion)
  const tasks = new Map(portionOf(context).map(task => [task.file, task]))
  const back = portion.delayed.flatMap(({ file }) => {
    const task = tasks.get(file)
    return task ? [{ ...task, isRepeat: true }] : []
  })
  return { ...next, again: [...back, ...next.again] }
}

/** Applies the user's answer to the first conflict, or to all. */
export function answered(
  context: FileJobContext,
  answer: ConflictAnswer,
  all: boolean,
): Partial<FileJobContext> {
  const of = all ? context.taken : context.taken.slice(0, 1)
  const rest = { taken: context.taken.slice(of.length), ...(all && { forAll: answer }) }
  if (answer === 'skip') return { ...rest, skipped: context.skipped + of.length }
  const tasks = of.map(({ file }): FileTask => ({ file, onConflict: answer, isRepeat: false }))
  return { ...rest, again: [...context.again, ...tasks] }
}

/** Puts refused files before those that have not been started. */
export function retried({ refused, again, forAll }: FileJobContext): Partial<FileJobContext> {
  const onConflict = forAll === 'replace' || forAll === 'keepBoth' ? forAll : 'ask'
  const tasks = refused.map(({ file }): FileTask => ({ file, onConflict, isRepeat: true }))
  return { again: [...again, ...tasks], refused: [], attempt: 0, failure: undefined }
}
