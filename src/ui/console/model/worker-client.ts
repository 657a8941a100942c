// Requests to the worker that reads a file, with a cache of the returned records.
import { decodeValue, type Json, type StepRecord, type Stimulus } from '../../../trace/index.ts'
import type { Details } from './details.ts'
import type { ValuePreview } from './value-preview.ts'
import type { FromReader, ToReader } from './trace-messages.ts'

/** Maximum cached records and characters of JSON, because contexts may be large. */
const KEPT = 400
const KEPT_TEXT = 40_000_000
/** Longer responses are parsed in two tasks, so that none blocks the page. */
const LONG_TEXT = 400_000

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
export class WorkerClient {
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
    if (message.kind === 'records') readRecords(message.text, answered => waiting?.resolve(answered))
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

function readRecords(text: string, onRead: (answered: Answered) => void): void {
  const json = JSON.parse(text) as Json
  const read = () => onRead({ records: decodeValue(json), length: text.length })
  if (text.length < LONG_TEXT) read()
  else setTimeout(read)
}

/** Details that are requested from the worker; the latest records stay cached. */
export function askedDetails(questions: WorkerClient): Details {
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

export const decode = (text: string): unknown => decodeValue(JSON.parse(text) as Json)
