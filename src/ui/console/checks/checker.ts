// Does one job for the page, in a worker or in the page itself.
import { messageOf } from '../text.ts'
import { doJob } from './do-job.ts'
import type { FromChecker, ToChecker } from './jobs.ts'

/** Returns the handler of the page's messages; passes progress and the result to `post`. */
export function createChecker(
  post: (message: FromChecker) => void,
  signal?: AbortSignal,
): (message: ToChecker) => void {
  const controller = new AbortController()
  signal?.addEventListener('abort', () => controller.abort(), { once: true })
  return message => {
    if (message.kind === 'stop') return controller.abort()
    const report = (progress: Extract<FromChecker, { kind: 'progress' }>['progress']) =>
      post({ kind: 'progress', progress })
    doJob(message.job, message.ask, { report, signal: controller.signal }).then(
      answer => post({ kind: 'done', answer }),
      (error: unknown) => post({ kind: 'failed', message: messageOf(error) }),
    )
  }
}
