// The worker of one job; it ends with the job.
import { messageOf } from '../text.ts'
import { doJob } from './do-job.ts'
import type { FromJudge, ToJudge } from './jobs.ts'

const controller = new AbortController()
// The types only know the page's `postMessage`; a worker has no target origin.
const post = (message: FromJudge) => globalThis.postMessage(message, { targetOrigin: '*' })

globalThis.addEventListener('message', ({ data }: MessageEvent<ToJudge>) => {
  if (data.kind === 'stop') return controller.abort()
  const tell = (progress: Extract<FromJudge, { kind: 'progress' }>['progress']) =>
    post({ kind: 'progress', progress })
  doJob(data.job, data.ask, { tell, signal: controller.signal }).then(
    answer => post({ kind: 'done', answer }),
    (error: unknown) => post({ kind: 'failed', message: messageOf(error) }),
  )
})
