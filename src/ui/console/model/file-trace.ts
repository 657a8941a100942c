// A trace file in the console: a worker reads it and provides its records while its timeline grows.
import { type Damage, Timeline, type TraceHeader } from '../../../trace/index.ts'
import type { ShownTrace } from './shown-trace.ts'
import { askedDetails, decode, WorkerClient } from './worker-client.ts'
import type { FromReader, ToReader } from './trace-messages.ts'
import { formatSize } from '../../../machines/index.ts'

/** Maximum packed file size: the data of all events of a larger file would not fit in a browser tab. */
const MAX_FILE_BYTES = 2 ** 30

/** A file that is at least partly read. */
export interface FileTrace extends ShownTrace {
  readonly name: string
  /** The file, for consumers that need the whole of it. */
  readonly file: File
  /** Resolves when it is fully read. */
  readonly whenRead: Promise<void>
}

export type OpenResult =
  | { readonly kind: 'opened'; readonly file: FileTrace }
  | { readonly kind: 'refused'; readonly name: string; readonly message: string }

/** The reading worker. */
export interface ReaderThread {
  post(message: ToReader): void
  /** `onError` is called with the reason when the worker ends unexpectedly. */
  listen(onMessage: (message: FromReader) => void, onError: (message: string) => void): void
}

export interface Opening {
  /** Ends reading and all pending requests. */
  readonly signal: AbortSignal
  /** Starts the worker, which ends with the signal. */
  readonly start?: (signal: AbortSignal) => ReaderThread
  /** Called if an opened file turns out to be invalid further on. */
  readonly onBroken?: (message: string) => void
}

/** Opens a file as soon as its first lines are read; never rejects. The rest is read while it is shown. */
export function openFileTrace(file: File, opening: Opening): Promise<OpenResult> {
  const { name, size } = file
  if (size > MAX_FILE_BYTES) {
    const message = `${formatSize(size)} is too large: at most ${formatSize(MAX_FILE_BYTES)} can be opened here.`
    return Promise.resolve({ kind: 'refused', name, message })
  }
  return new Promise(resolve => {
    const thread = (opening.start ?? startWorker)(opening.signal)
    const reading = new Reading(file, thread, resolve, opening.onBroken)
    opening.signal.addEventListener('abort', () => reading.end('it was canceled'), { once: true })
    thread.listen(
      message => reading.take(message),
      message => reading.end(message),
    )
    thread.post({ kind: 'open', file })
  })
}

/** A file being read, and the requests for its records. */
class Reading {
  readonly #file: File
  readonly #resolve: (result: OpenResult) => void
  readonly #onBroken: ((message: string) => void) | undefined
  readonly #timeline = new Timeline()
  readonly #questions: WorkerClient
  readonly #read = Promise.withResolvers<void>()
  #damage: readonly Damage[] = []
  #share = 0
  #header: TraceHeader | undefined
  #isOpened = false

  constructor(
    file: File,
    thread: ReaderThread,
    resolve: (result: OpenResult) => void,
    onBroken: ((message: string) => void) | undefined,
  ) {
    this.#file = file
    this.#questions = new WorkerClient(message => thread.post(message))
    this.#resolve = resolve
    this.#onBroken = onBroken
  }

  take(message: FromReader): void {
    switch (message.kind) {
      case 'header':
        this.#header = decode(message.text) as TraceHeader
        return
      case 'block':
        this.#share = message.share
        this.#timeline.take(message.block)
        return this.#open()
      case 'read':
        this.#damage = message.damage
        this.#share = 1
        this.#open()
        // Notifies listeners that the file is complete.
        this.#timeline.touch()
        return this.#read.resolve()
      case 'refused':
        return this.#refuse(message.message)
      default:
        return this.#questions.take(message)
    }
  }

  /** No further responses will arrive. */
  end(why: string): void {
    this.#refuse(`The file could not be read: ${why}`)
    this.#questions.end(why)
  }

  #open(): void {
    if (this.#isOpened || !this.#header) return
    this.#isOpened = true
    const opened: FileTrace = {
      live: false,
      name: this.#file.name,
      file: this.#file,
      header: this.#header,
      timeline: this.#timeline,
      details: askedDetails(this.#questions),
      share: () => this.#share,
      damage: () => this.#damage,
      dropped: () => 0,
      whenRead: this.#read.promise,
    }
    this.#resolve({ kind: 'opened', file: opened })
  }

  #refuse(message: string): void {
    if (this.#isOpened && this.#share < 1) this.#onBroken?.(message)
    this.#resolve({ kind: 'refused', name: this.#file.name, message })
  }
}

function startWorker(signal: AbortSignal): ReaderThread {
  const worker = new Worker(new URL('./trace-worker.ts', import.meta.url), { type: 'module' })
  signal.addEventListener('abort', () => worker.terminate(), { once: true })
  return {
    post: message => worker.postMessage(message, []),
    listen: (onMessage, onError) => {
      worker.addEventListener('message', ({ data }: MessageEvent<FromReader>) => onMessage(data))
      worker.addEventListener('error', ({ message }) => onError(message || 'the reader could not be started'))
    },
  }
}
