// The worker of one job of judging; it ends with it.
import { messageOf } from '../text.ts'
import { doJob } from './do-job.ts'
import type { FromJudge, ToJudge } from './jobs.ts'

const controller = new AbortController()
// The types know the page's `postMessage` alone; a worker has no origin to name.
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
