// Work on many files (delete, move, copy) as the states that it goes through: counted, confirmed, done one by one.
import type { Within } from './tree.ts'

export interface JobFailure {
  readonly path: string
  readonly message: string
}

export type Job =
  | { readonly phase: 'counting'; readonly found: number }
  | { readonly phase: 'uncounted'; readonly message: string }
  | { readonly phase: 'ready'; readonly files: readonly Within[] }
  | Working
  | {
      readonly phase: 'ended'
      readonly total: number
      readonly done: number
      readonly failures: readonly JobFailure[]
    }

interface Working {
  readonly phase: 'working' | 'stopping'
  readonly total: number
  readonly done: number
  readonly failures: readonly JobFailure[]
}

export type JobEvent =
  | { readonly type: 'count.begun' }
  | { readonly type: 'count.moved'; readonly found: number }
  | { readonly type: 'count.done'; readonly files: readonly Within[] }
  | { readonly type: 'count.failed'; readonly message: string }
  | { readonly type: 'work.begun'; readonly total: number }
  | { readonly type: 'work.moved'; readonly done: number; readonly failures: readonly JobFailure[] }
  | { readonly type: 'work.stop' }
  | { readonly type: 'work.ended' }

export const NEW_JOB: Job = { phase: 'counting', found: 0 }

/** The next state; what can't come in a state is ignored there. */
export function jobReducer(job: Job, event: JobEvent): Job {
  switch (event.type) {
    case 'count.begun':
      return job.phase === 'uncounted' || job.phase === 'counting' ? NEW_JOB : job
    case 'count.moved':
      return job.phase === 'counting' ? { phase: 'counting', found: event.found } : job
    case 'count.done':
      return job.phase === 'counting' ? { phase: 'ready', files: event.files } : job
    case 'count.failed':
      return job.phase === 'counting' ? { phase: 'uncounted', message: event.message } : job
    case 'work.begun':
      return job.phase === 'ready' ? { phase: 'working', total: event.total, done: 0, failures: [] } : job
    case 'work.moved':
      if (job.phase !== 'working' && job.phase !== 'stopping') return job
      return { ...job, done: job.done + event.done, failures: [...job.failures, ...event.failures] }
    case 'work.stop':
      return job.phase === 'working' ? { ...job, phase: 'stopping' } : job
    case 'work.ended':
      if (job.phase !== 'working' && job.phase !== 'stopping') return job
      return { phase: 'ended', total: job.total, done: job.done, failures: job.failures }
  }
}

/** `3 files` or `1 file`. */
export const countOf = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`

/** How it ended, in one line. */
export function endWords(verb: string, job: Extract<Job, { phase: 'ended' }>): string {
  const { total, done, failures } = job
  if (done === total) return `${verb} ${countOf(total, 'file')}`
  const left = total - done - failures.length
  const rest = [
    ...(failures.length > 0 ? [`${countOf(failures.length, 'was', 'were')} refused`] : []),
    ...(left > 0 ? [`${left.toLocaleString('en')} not begun`] : []),
  ]
  return `${verb} ${done.toLocaleString('en')} of ${countOf(total, 'file')}; ${rest.join(', ')}`
}
