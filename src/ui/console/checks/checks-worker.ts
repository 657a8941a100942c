// The worker of one job; it ends with the job.
import { messageOf } from '../text.ts'
import { doJob } from './do-job.ts'
import type { FromChecker, ToChecker } from './jobs.ts'

const controller = new AbortController()
// The types only know the page's `postMessage`; a worker has no target origin.
const post = (message: FromChecker) => globalThis.postMessage(message, { targetOrigin: '*' })

globalThis.addEventListener('message', ({ data }: MessageEvent<ToChecker>) => {
  if (data.kind === 'stop') return controller.abort()
  const report = (progress: Extract<FromChecker, { kind: 'progress' }>['progress']) =>
    post({ kind: 'progress', progress })
  doJob(data.job, data.ask, { report, signal: controller.signal }).then(
    answer => post({ kind: 'done', answer }),
    (error: unknown) => post({ kind: 'failed', message: messageOf(error) }),
  )
})
