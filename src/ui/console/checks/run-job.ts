// Starts a job in a worker, or in the page if only the page has the machines.
import type { SystemRegistry } from '../../../services/runtime/index.ts'
import type { Answer, Ask, FromChecker, JobKind, Tell, ToChecker } from './jobs.ts'

/** A running job. */
export interface RunningJob<K extends JobKind> {
  /** Rejects with an error that can be shown to the user, or with an `AbortError` when canceled. */
  readonly answer: Promise<Answer<K>>
  /** Asks it to end with the result so far. */
  readonly stop: () => void
  readonly cancel: () => void
}

export const isCancelled = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'AbortError'

const canceled = () => new DOMException('The job was canceled.', 'AbortError')

/** `systems` are the machines of the page's own app; functions cannot be sent to a worker. */
export function runJob<K extends JobKind>(
  job: K,
  ask: Ask<K>,
  { report, systems = {} }: { readonly report: Tell; readonly systems?: SystemRegistry | undefined },
): RunningJob<K> {
  return Object.keys(systems).length > 0 ? inPage(job, ask, report, systems) : inWorker(job, ask, report)
}

function inWorker<K extends JobKind>(job: K, ask: Ask<K>, report: Tell): RunningJob<K> {
  const worker = new Worker(new URL('./checks-worker.ts', import.meta.url), { type: 'module' })
  const post = (message: ToChecker) => worker.postMessage(message, [])
  const { promise, resolve, reject } = Promise.withResolvers<Answer<K>>()
  const end = () => worker.terminate()
  worker.addEventListener('message', ({ data }: MessageEvent<FromChecker>) => {
    if (data.kind === 'progress') return report(data.progress)
    end()
    if (data.kind === 'done') resolve(data.answer as Answer<K>)
    else reject(new Error(data.message))
  })
  worker.addEventListener('error', ({ message }) => {
    end()
    reject(new Error(message || 'The worker could not be loaded.'))
  })
  post({ kind: 'do', job, ask })
  return {
    answer: promise,
    stop: () => post({ kind: 'stop' }),
    cancel() {
      end()
      reject(canceled())
    },
  }
}

function inPage<K extends JobKind>(
  job: K,
  ask: Ask<K>,
  report: Tell,
  systems: SystemRegistry,
): RunningJob<K> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer<K>>()
  const controller = new AbortController()
  import('./do-job.ts')
    .then(({ doJob }) => doJob(job, ask, { report, systems, signal: controller.signal }))
    .then(resolve, reject)
  return {
    answer: promise,
    stop: () => controller.abort(),
    cancel() {
      controller.abort()
      reject(canceled())
    },
  }
}
