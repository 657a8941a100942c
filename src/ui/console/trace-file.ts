// Opening a trace file: its size is checked, a worker reads it, and what is wrong is said plainly.
import { decodeValue, type Json } from '../../trace/codec.ts'
import type { ActorEntry, Stimulus, TraceHeader, TraceSource, ViewRecord } from '../../trace/format.ts'
import { byteSize, messageOf } from './text.ts'
import type { ReaderAnswer, ReaderRequest } from './trace-reader.ts'

/** Packed size above which a file is not even read; unpacked it would not fit a browser tab. */
const MAX_FILE_BYTES = 256 * 1024 * 1024

/** A file that was read. */
export interface OpenedFile {
  readonly name: string
  readonly source: TraceSource
}

export type OpenResult =
  | { readonly kind: 'opened'; readonly file: OpenedFile }
  | { readonly kind: 'refused'; readonly name: string; readonly message: string }

/** Asks the thread that reads; at most one request is under way. */
export type AskReader = (request: ReaderRequest) => Promise<ReaderAnswer>

export interface Opening {
  /** Ends the reading; the result is then a refusal that nobody waits for. */
  readonly signal: AbortSignal
  /** How much of the file is taken over, from 0 to 1; first called when it has been read. */
  readonly onShare: (share: number) => void
  /** Starts the thread that reads; it ends with the signal. */
  readonly start?: (signal: AbortSignal) => AskReader
}

/** Reads a file; never rejects. */
export async function openTraceFile(file: File, opening: Opening): Promise<OpenResult> {
  const refused = (message: string): OpenResult => ({ kind: 'refused', name: file.name, message })
  if (file.size > MAX_FILE_BYTES) {
    return refused(
      `${byteSize(file.size)} is too large: at most ${byteSize(MAX_FILE_BYTES)} can be opened here.`,
    )
  }
  const done = new AbortController()
  try {
    const bytes = new Uint8Array(await file.arrayBuffer())
    opening.signal.throwIfAborted()
    const signal = AbortSignal.any([opening.signal, done.signal])
    const ask = (opening.start ?? startWorker)(signal)
    const result = await assemble(ask, bytes, opening.onShare)
    if (typeof result === 'string') return refused(result)
    return { kind: 'opened', file: { name: file.name, source: result } }
  } catch (error) {
    return refused(`The file could not be read: ${messageOf(error)}`)
  } finally {
    done.abort()
  }
}

/** Puts the portions together; each is its own task, so that the page stays quick. Text is why it was refused. */
async function assemble(
  ask: AskReader,
  bytes: Uint8Array<ArrayBuffer>,
  onShare: (share: number) => void,
): Promise<TraceSource | string> {
  let header: TraceHeader | undefined
  const actors: ActorEntry[] = []
  const stimuli: Stimulus[] = []
  const views: ViewRecord[] = []
  let answer = await ask(bytes)
  for (; answer.kind === 'portion'; answer = await ask('next')) {
    for (const record of decodePortion(answer.records)) {
      if (record.line === 'header') header = record
      else if (record.line === 'actor') actors.push(record)
      else if (record.line === 'stimulus') stimuli.push(record)
      else views.push(record)
    }
    onShare(answer.share)
  }
  if (answer.kind === 'refused') return answer.message
  if (!header) throw new TypeError('its reader gave no header')
  const never = () => () => undefined
  return {
    live: false,
    header,
    actors,
    stimuli,
    views,
    damage: answer.damage,
    version: () => 0,
    subscribe: never,
  }
}

type Part = TraceHeader | ActorEntry | Stimulus | ViewRecord

/** The reader has checked every record. */
const decodePortion = (records: string) => decodeValue(JSON.parse(records) as Json) as readonly Part[]

function startWorker(signal: AbortSignal): AskReader {
  const worker = new Worker(new URL('./trace-worker.ts', import.meta.url), { type: 'module' })
  const ended = new Promise<never>((_, reject) => {
    const onAbort = () => {
      worker.terminate()
      reject(new Error('it was not waited for'))
    }
    signal.addEventListener('abort', onAbort, { once: true })
    worker.addEventListener('error', ({ message }) =>
      reject(new Error(message || 'its reader could not be started')),
    )
  })
  // Its end is news only to a request under way.
  ended.catch(() => undefined)
  return request => {
    const answer = new Promise<ReaderAnswer>(resolve => {
      const take = ({ data }: MessageEvent<ReaderAnswer>) => resolve(data)
      worker.addEventListener('message', take, { once: true })
    })
    worker.postMessage(request, request === 'next' ? [] : [request.buffer])
    return Promise.race([answer, ended])
  }
}
