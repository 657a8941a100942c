// The worker in which a trace file is read.
import { createTraceReader, type ReaderRequest } from './trace-reader.ts'

const answer = createTraceReader()

// The types know the page's `postMessage` alone; a worker has no origin to name.
globalThis.addEventListener('message', ({ data }: MessageEvent<ReaderRequest>) => {
  void answer(data).then(reply => globalThis.postMessage(reply, { targetOrigin: '*' }))
})
