// The worker in which a trace file is read and asked about.
import { createTraceHost } from './trace-host.ts'
import type { ToReader } from './trace-messages.ts'

// The types know the page's `postMessage` alone; a worker has no origin to name.
const handle = createTraceHost((answer, transfer = []) =>
  globalThis.postMessage(answer, { targetOrigin: '*', transfer }),
)

globalThis.addEventListener('message', ({ data }: MessageEvent<ToReader>) => void handle(data))
