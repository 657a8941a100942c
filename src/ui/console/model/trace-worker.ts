// The worker that reads a trace file and serves its records.
import { createTraceHost } from './trace-host.ts'
import type { ToReader } from './trace-messages.ts'

// The types only know the page's `postMessage`; a worker has no target origin.
const handle = createTraceHost((answer, transfer = []) =>
  globalThis.postMessage(answer, { targetOrigin: '*', transfer }),
)

globalThis.addEventListener('message', ({ data }: MessageEvent<ToReader>) => void handle(data))
