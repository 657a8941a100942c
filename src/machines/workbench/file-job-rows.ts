// The files of a job as plain data, by number: started, conflicting, refused, or to be retried.
import { isRetryable, type Failure } from '../failure.ts'
import { FILE_JOB_ATTEMPTS } from '../timings.ts'
import type { ConflictAnswer } from '../uploads/upload-info.ts'

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
export interface ConflictingFile {
  readonly file: number
  readonly path: string
  readonly target: string
}

/** The outcome of a batch: the files listed here, and all others are done. */
export interface BatchDone {
  readonly type: 'batch.done'
  readonly refused: readonly RefusedFile[]
  readonly conflicts: readonly ConflictingFile[]
  /** No response, or deferred by the backend. */
  readonly delayed: readonly RefusedFile[]
  /** The reason, if any were delayed. */
  readonly failure?: Failure
}

export interface FileJobInput {
  readonly kind: 'delete' | 'move' | 'copy'
  readonly bucket: string
  /** Files per batch. */
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
  readonly retries: readonly FileTask[]
  readonly conflicts: readonly ConflictingFile[]
  /** The answer for all further conflicts. */
  readonly answerForAll: ConflictAnswer | undefined
  readonly done: number
  readonly skipped: number
  readonly refused: readonly RefusedFile[]
  /** Batches in a row without progress. */
  readonly attempt: number
  readonly delay: number
  readonly failure: Failure | undefined
}

export const isAllStarted = ({ next, total, retries }: FileJobContext): boolean =>
  next >= total && retries.length === 0

/** Nothing was refused, and nothing is left. */
export const isAllDone = (context: FileJobContext): boolean =>
  isAllStarted(context) && context.conflicts.length === 0 && context.refused.length === 0

/** The files of the next batch. */
export function nextBatch({ retries, next, total, size, answerForAll }: FileJobContext): readonly FileTask[] {
  if (retries.length > 0) return retries.slice(0, size)
  const onConflict = answerForAll === 'replace' || answerForAll === 'keepBoth' ? answerForAll : 'ask'
  const end = Math.min(next + size, total)
  return Array.from({ length: end - next }, (_, at) => ({ file: next + at, onConflict, isRepeat: false }))
}

/** Whether delayed files are retried automatically. */
export const mayRetry = ({ attempt }: FileJobContext, { delayed, failure }: BatchDone): boolean =>
  delayed.length > 0 && failure !== undefined && isRetryable(failure) && attempt + 1 < FILE_JOB_ATTEMPTS

/** The context after a batch. */
function after(context: FileJobContext, { refused, conflicts, delayed }: BatchDone) {
  const { retries, next, total, size, answerForAll } = context
  const undone = refused.length + conflicts.length
  const done = Math.max(0, nextBatch(context).length - undone - delayed.length)
  const isSkipped = answerForAll === 'skip'
  return {
    retries: retries.slice(size),
    next: retries.length > 0 ? next : Math.min(next + size, total),
    done: context.done + done,
    refused: [...context.refused, ...refused],
    conflicts: isSkipped ? context.conflicts : [...context.conflicts, ...conflicts],
    skipped: context.skipped + (isSkipped ? conflicts.length : 0),
    attempt: done + undone > 0 ? 0 : context.attempt,
  }
}

/** The context after a batch; files that were delayed too often are refused. */
export function countBatch(context: FileJobContext, batch: BatchDone): Partial<FileJobContext> {
  const next = after(context, batch)
  return { ...next, refused: [...next.refused, ...batch.delayed], failure: undefined }
}

/** The context after a batch with delayed files, which go first next time. */
export function requeue(context: FileJobContext, batch: BatchDone): Partial<FileJobContext> {
  const next = after(context, batch)
  const tasks = new Map(nextBatch(context).map(task => [task.file, task]))
  const back = batch.delayed.flatMap(({ file }) => {
    const task = tasks.get(file)
    return task ? [{ ...task, isRepeat: true }] : []
  })
  return { ...next, retries: [...back, ...next.retries] }
}

/** Applies the user's answer to the first conflict, or to all. */
export function applyAnswer(
  context: FileJobContext,
  answer: ConflictAnswer,
  all: boolean,
): Partial<FileJobContext> {
  const of = all ? context.conflicts : context.conflicts.slice(0, 1)
  const rest = { conflicts: context.conflicts.slice(of.length), ...(all && { answerForAll: answer }) }
  if (answer === 'skip') return { ...rest, skipped: context.skipped + of.length }
  const tasks = of.map(({ file }): FileTask => ({ file, onConflict: answer, isRepeat: false }))
  return { ...rest, retries: [...context.retries, ...tasks] }
}

/** Puts refused files before those that have not been started. */
export function retry({ refused, retries, answerForAll }: FileJobContext): Partial<FileJobContext> {
  const onConflict = answerForAll === 'replace' || answerForAll === 'keepBoth' ? answerForAll : 'ask'
  const tasks = refused.map(({ file }): FileTask => ({ file, onConflict, isRepeat: true }))
  return { retries: [...retries, ...tasks], refused: [], attempt: 0, failure: undefined }
}
