// A trace file in the console: its timeline grows while a worker reads it, and its records are asked of that worker.
import type { Damage, TraceHeader } from '../../../trace/format.ts'
import { Timeline } from '../../../trace/timeline/timeline.ts'
import { byteSize } from '../text.ts'
import type { ShownTrace } from './shown-trace.ts'
import { askedDetails, decode, Questions } from './questions.ts'
import type { FromReader, ToReader } from './trace-messages.ts'

/** Packed size above which a file is not even read: what is known of every event would not fit a browser tab. */
const MAX_FILE_BYTES = 2 ** 30

/** A file of which some is read. */
export interface FileTrace extends ShownTrace {
  readonly name: string
  /** The file itself, for what needs all of it. */
  readonly file: File
  /** Resolved when it is read to its end. */
  readonly whenRead: Promise<void>
}

export type OpenResult =
  | { readonly kind: 'opened'; readonly file: FileTrace }
  | { readonly kind: 'refused'; readonly name: string; readonly message: string }

/** The thread that reads. */
export interface ReaderThread {
  post(message: ToReader): void
  /** `onError` is told why the thread ended by itself. */
  listen(onMessage: (message: FromReader) => void, onError: (message: string) => void): void
}

export interface Opening {
  /** Ends the reading, and all questions. */
  readonly signal: AbortSignal
  /** Starts the thread, which ends with the signal. */
  readonly start?: (signal: AbortSignal) => ReaderThread
  /** Called when a file that was opened turns out to be none further on. */
  readonly onBroken?: (message: string) => void
}

/** Opens a file as soon as its first lines are read; never rejects. The rest follows while it is looked at. */
export function openFileTrace(file: File, opening: Opening): Promise<OpenResult> {
  const { name, size } = file
  if (size > MAX_FILE_BYTES) {
    const message = `${byteSize(size)} is too large: at most ${byteSize(MAX_FILE_BYTES)} can be opened here.`
    return Promise.resolve({ kind: 'refused', name, message })
  }
  return new Promise(resolve => {
    const thread = (opening.start ?? startWorker)(opening.signal)
    const reading = new Reading(file, thread, resolve, opening.onBroken)
    opening.signal.addEventListener('abort', () => reading.end('it was not waited for'), { once: true })
    thread.listen(
      message => reading.take(message),
      message => reading.end(message),
    )
    thread.post({ kind: 'open', file })
  })
}

/** One file on its way in, and the questions about it. */
class Reading {
  readonly #file: File
  readonly #resolve: (result: OpenResult) => void
  readonly #onBroken: ((message: string) => void) | undefined
  readonly #timeline = new Timeline()
  readonly #questions: Questions
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
    this.#questions = new Questions(message => thread.post(message))
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
        // Tells those who look that it is whole.
        this.#timeline.touch()
        return this.#read.resolve()
      case 'refused':
        return this.#refuse(message.message)
      default:
        return this.#questions.take(message)
    }
  }

  /** No more answers will come. */
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
      worker.addEventListener('error', ({ message }) => onError(message || 'its reader could not be started'))
    },
  }
}
