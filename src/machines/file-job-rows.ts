// The files of a job as plain data, by their numbers: which are begun, in the way, refused, or to be tried again.
import { isRetryable, type Failure } from './failure.ts'

/** What becomes of a file that has the name of one that is there. */
export type TakenAnswer = 'replace' | 'keepBoth' | 'skip'

/** One file of the job, by its number. */
export interface FileTask {
  readonly file: number
  readonly onTaken: 'ask' | Exclude<TakenAnswer, 'skip'>
  /** It was begun before, and nobody knows how that went: what is done already is no fault. */
  readonly isRepeat: boolean
}

export interface RefusedFile {
  readonly file: number
  readonly path: string
  readonly message: string
}

/** Something is there already where it is to go. */
export interface TakenFile {
  readonly file: number
  readonly path: string
  readonly target: string
}

/** What became of the files of a portion; the others are done. */
export interface PortionDone {
  readonly type: 'portion.done'
  readonly refused: readonly RefusedFile[]
  readonly taken: readonly TakenFile[]
  /** Without an answer, or put off by the backend. */
  readonly delayed: readonly RefusedFile[]
  /** Why, where some are. */
  readonly failure?: Failure
}

export interface FileJobInput {
  readonly kind: 'delete' | 'move' | 'copy'
  readonly bucket: string
  /** Files in one portion. */
  readonly size: number
  readonly seed: number
}

export interface FileJobContext extends FileJobInput {
  /** While they are counted. */
  readonly found: number
  readonly total: number
  readonly bytes: number
  /** Number of the first file that was not begun yet. */
  readonly next: number
  /** Begun before; they go first. */
  readonly again: readonly FileTask[]
  readonly taken: readonly TakenFile[]
  /** The answer for all that will be in the way. */
  readonly forAll: TakenAnswer | undefined
  readonly done: number
  readonly skipped: number
  readonly refused: readonly RefusedFile[]
  /** Portions in a row that moved nothing. */
  readonly attempt: number
  readonly delay: number
  readonly failure: Failure | undefined
}

/** Portions in a row that moved nothing: some two minutes of a backend that is down. */
const MOST_ATTEMPTS = 9

export const isAllBegun = ({ next, total, again }: FileJobContext): boolean =>
  next >= total && again.length === 0

/** Nothing was refused, and nothing is left. */
export const isAllDone = (context: FileJobContext): boolean =>
  isAllBegun(context) && context.taken.length === 0 && context.refused.length === 0

/** The files that are to be done next. */
export function portionOf({ again, next, total, size, forAll }: FileJobContext): readonly FileTask[] {
  if (again.length > 0) return again.slice(0, size)
  const onTaken = forAll === 'replace' || forAll === 'keepBoth' ? forAll : 'ask'
  const end = Math.min(next + size, total)
  return Array.from({ length: end - next }, (_, at) => ({ file: next + at, onTaken, isRepeat: false }))
}

/** Whether what was put off is tried again by itself. */
export const mayDelay = ({ attempt }: FileJobContext, { delayed, failure }: PortionDone): boolean =>
  delayed.length > 0 && failure !== undefined && isRetryable(failure) && attempt + 1 < MOST_ATTEMPTS

/** After a portion, whose files are begun now. */
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

/** After a portion; what was put off once too often is refused. */
export function counted(context: FileJobContext, portion: PortionDone): Partial<FileJobContext> {
  const next = after(context, portion)
  return { ...next, refused: [...next.refused, ...portion.delayed], failure: undefined }
}

/** After a portion of which some was put off: that goes first the next time. */
export function putBack(context: FileJobContext, portion: PortionDone): Partial<FileJobContext> {
  const next = after(context, portion)
  const tasks = new Map(portionOf(context).map(task => [task.file, task]))
  const back = portion.delayed.flatMap(({ file }) => {
    const task = tasks.get(file)
    return task ? [{ ...task, isRepeat: true }] : []
  })
  return { ...next, again: [...back, ...next.again] }
}

/** What the user says of the first that is in the way, or of all. */
export function answered(
  context: FileJobContext,
  answer: TakenAnswer,
  all: boolean,
): Partial<FileJobContext> {
  const of = all ? context.taken : context.taken.slice(0, 1)
  const rest = { taken: context.taken.slice(of.length), ...(all && { forAll: answer }) }
  if (answer === 'skip') return { ...rest, skipped: context.skipped + of.length }
  const tasks = of.map(({ file }): FileTask => ({ file, onTaken: answer, isRepeat: false }))
  return { ...rest, again: [...context.again, ...tasks] }
}

/** What was refused goes before what was not begun. */
export function retried({ refused, again, forAll }: FileJobContext): Partial<FileJobContext> {
  const onTaken = forAll === 'replace' || forAll === 'keepBoth' ? forAll : 'ask'
  const tasks = refused.map(({ file }): FileTask => ({ file, onTaken, isRepeat: true }))
  return { again: [...again, ...tasks], refused: [], attempt: 0, failure: undefined }
}
