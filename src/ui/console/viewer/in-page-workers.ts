// The workers of the console as code of the page, since a single file has no modules that a worker could load.
import { messageOf } from '../text.ts'
import type * as workers from '../workers.ts'

type Post = (message: unknown) => void
/** Loads the code; the function that it returns handles one message. */
type Load = (post: Post, signal: AbortSignal) => Promise<(message: never) => void>

/** What ELK passes to `onmessage`. */
interface Answer {
  readonly data: unknown
}

/** Messages are handled in later tasks, as those of a worker. */
class InPageWorker extends EventTarget implements Worker {
  onmessage: Worker['onmessage'] = null
  onmessageerror: Worker['onmessageerror'] = null
  onerror: Worker['onerror'] = null
  readonly #handle: Promise<(message: never) => void>
  readonly #ended = new AbortController()

  constructor(load: Load) {
    super()
    const { signal } = this.#ended
    this.#handle = load(data => {
      if (signal.aborted) return
      const event = new MessageEvent('message', { data })
      this.onmessage?.(event)
      this.dispatchEvent(event)
    }, signal)
    this.#handle.catch((error: unknown) => {
      this.dispatchEvent(new ErrorEvent('error', { message: messageOf(error) }))
    })
  }

  postMessage(message: never): void {
    void this.#handle.then(
      handle => this.#ended.signal.aborted || handle(message),
      () => undefined,
    )
  }

  terminate(): void {
    this.#ended.abort()
  }
}

const startReaderWorker: typeof workers.startReaderWorker = () =>
  new InPageWorker(async post => {
    const { createTraceHost } = await import('../model/trace-host.ts')
    const handle = createTraceHost(post)
    return message => void handle(message)
  })

const startChecksWorker: typeof workers.startChecksWorker = () =>
  new InPageWorker(async (post, signal) => {
    const { createChecker } = await import('../checks/checker.ts')
    return createChecker(post, signal)
  })

const startLayoutWorker: typeof workers.startLayoutWorker = () =>
  new InPageWorker(async post => {
    const { default: elk } = await import('elkjs/lib/elk-worker.min.js')
    const worker = Object.assign(new elk.Worker(), { onmessage: ({ data }: Answer) => post(data) })
    return message => worker.postMessage(message, [])
  })

export { startChecksWorker, startLayoutWorker, startReaderWorker }
