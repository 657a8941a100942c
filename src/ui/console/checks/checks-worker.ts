// The worker of one job; it ends with the job.
import { createChecker } from './checker.ts'
import type { ToChecker } from './jobs.ts'

// The types only know the page's `postMessage`; a worker has no target origin.
const handle = createChecker(message => globalThis.postMessage(message, { targetOrigin: '*' }))

globalThis.addEventListener('message', ({ data }: MessageEvent<ToChecker>) => handle(data))
