// A trace file in the console: a worker reads it and provides its records while its timeline grows.
import {
  type Damage,
  Timeline,
  type TraceHeader,
  decodeValue,
  type Json,
  type StepRecord,
  type Stimulus,
} from '../../../trace/index.ts'
import { createSlices } from '../../../services/runtime/index.ts'
import type { ShownTrace } from './shown-trace.ts'
import type { FromReader, ToReader } from './trace-messages.ts'
import { startReaderWorker } from '../workers.ts'
import type { Details, ValuePreview } from './details.ts'
import { formatSize } from '../../../services/workbench/text/index.ts'

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
}

/**
 * Opens a file as soon as its first lines are read; never rejects. The rest is read while it is shown; if that fails,
 * the file is damaged from there on.
 */
export function openFileTrace(file: File, opening: Opening): Promise<OpenResult> {
  const { name, size } = file
  if (size > MAX_FILE_BYTES) {
    const message = `${formatSize(size)} is too large: at most ${formatSize(MAX_FILE_BYTES)} can be opened here.`
    return Promise.resolve({ kind: 'refused', name, message })
  }
  return new Promise(resolve => {
    const thread = (opening.start ?? startWorker)(opening.signal)
    const reading = new Reading(file, thread, resolve)
    opening.signal.addEventListener('abort', () => reading.cancel(), { once: true })
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
  readonly #timeline = new Timeline()
  readonly #questions: WorkerClient
  readonly #read = Promise.withResolvers<void>()
  #damage: readonly Damage[] = []
  #share = 0
  #header: TraceHeader | undefined
  #isOpened = false

  constructor(file: File, thread: ReaderThread, resolve: (result: OpenResult) => void) {
    this.#file = file
    this.#questions = new WorkerClient(message => thread.post(message))
    this.#resolve = resolve
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
        return this.#finish(message.damage)
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

  cancel(): void {
    const why = 'it was canceled'
    this.#resolve({ kind: 'refused', name: this.#file.name, message: why })
    this.#questions.end(why)
  }

  #finish(damage: readonly Damage[]): void {
    this.#damage = damage
    this.#share = 1
    this.#open()
    // Notifies listeners that the file is complete.
    this.#timeline.touch()
    this.#read.resolve()
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
    // In the manner of other damage: a clause without a period.
    const clause = message.charAt(0).toLowerCase() + message.slice(1).replace(/\.$/, '')
    if (this.#isOpened && this.#share < 1) this.#finish([{ message: clause }])
    this.#resolve({ kind: 'refused', name: this.#file.name, message })
  }
}

function startWorker(signal: AbortSignal): ReaderThread {
  const worker = startReaderWorker()
  signal.addEventListener('abort', () => worker.terminate(), { once: true })
  return {
    post: message => worker.postMessage(message, []),
    listen: (onMessage, onError) => {
      worker.addEventListener('message', ({ data }: MessageEvent<FromReader>) => onMessage(data))
      worker.addEventListener('error', ({ message }) => onError(message || 'the reader could not be started'))
    },
  }
}

/** Maximum cached records and characters of JSON, because contexts may be large. */
const KEPT = 400
const KEPT_TEXT = 40_000_000

/** Cached records and their JSON length. */
interface Answered {
  readonly records: unknown
  readonly length: number
}

interface Waiting {
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: Error) => void
}

/** Numbers requests and matches responses to them. */
class WorkerClient {
  readonly #post: (message: ToReader) => void
  readonly #waiting = new Map<number, Waiting>()
  #asked = 0
  #ended: string | undefined

  constructor(post: (message: ToReader) => void) {
    this.#post = post
  }

  ask(message: (id: number) => ToReader): Promise<unknown> {
    if (this.#ended !== undefined) return Promise.reject(new Error(this.#ended))
    const id = this.#asked++
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.#post(message(id))
    })
  }

  /** Handles a response. */
  take(message: Extract<FromReader, { readonly id: number }>): void {
    const waiting = this.#waiting.get(message.id)
    this.#waiting.delete(message.id)
    if (message.kind === 'records') waiting?.resolve(readRecords(message.text))
    else if (message.kind === 'matches') waiting?.resolve(message.matches)
    else if (message.kind === 'previews') waiting?.resolve(message.previews)
    else waiting?.reject(new Error(message.message))
  }

  /** No further responses will arrive. */
  end(why: string): void {
    this.#ended = why
    for (const { reject } of this.#waiting.values()) reject(new Error(why))
    this.#waiting.clear()
  }
}

async function readRecords(text: string): Promise<Answered> {
  const pause = createSlices()
  const json = JSON.parse(text) as Json
  await pause()
  return { records: decodeValue(json), length: text.length }
}

/** Details that are requested from the worker; the latest records stay cached. */
function askedDetails(questions: WorkerClient): Details {
  const kept = new Map<number, { readonly record: StepRecord; readonly length: number }>()
  let text = 0
  const cache = (record: StepRecord, length: number) => {
    if (kept.has(record.seq)) return
    kept.set(record.seq, { record, length })
    text += length
    for (const [oldest, { length: freed }] of kept) {
      // A step is shown with the one before it.
      if ((kept.size <= KEPT && text <= KEPT_TEXT) || kept.size <= 2) return
      kept.delete(oldest)
      text -= freed
    }
  }
  const one = async (kind: 'steps' | 'stimuli', seq: number) => {
    const { records, length } = (await questions.ask(id => ({ kind, id, seqs: [seq] }))) as Answered
    return { record: (records as readonly unknown[])[0], length }
  }
  return {
    peek: seq => kept.get(seq)?.record,
    record: async seq => {
      const known = kept.get(seq)
      if (known) return known.record
      const { record, length } = await one('steps', seq)
      cache(record as StepRecord, length)
      return record as StepRecord
    },
    stimulus: async seq => (await one('stimuli', seq)).record as Stimulus,
    match: async (asked, seqs, timeline) => {
      const previous = Int32Array.from(seqs, seq => timeline.previous(seq))
      const answer = await questions.ask(id => ({ kind: 'match', id, questions: asked, seqs, previous }))
      return answer as Uint8Array
    },
    preview: async (seqs, pointer) => {
      const answer = await questions.ask(id => ({ kind: 'preview', id, seqs, pointer }))
      return answer as readonly ValuePreview[]
    },
  }
}

const decode = (text: string): unknown => decodeValue(JSON.parse(text) as Json)
