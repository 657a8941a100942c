// Questions to the thread that reads a file, and the records that it answered with.
import { decodeValue, type Json } from '../../../trace/codec.ts'
import type { Stimulus, ViewRecord } from '../../../trace/format.ts'
import type { Details } from './details.ts'
import type { Glimpse } from './glimpse.ts'
import type { FromReader, ToReader } from './trace-messages.ts'

/** Records that stay at hand. */
const KEPT = 400

interface Waiting {
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: Error) => void
}

/** Numbers questions, and gives each its answer. */
export class Questions {
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

  /** Takes an answer. */
  take(message: Extract<FromReader, { readonly id: number }>): void {
    const waiting = this.#waiting.get(message.id)
    this.#waiting.delete(message.id)
    if (message.kind === 'records') waiting?.resolve(decode(message.text))
    else if (message.kind === 'matches') waiting?.resolve(message.matches)
    else if (message.kind === 'glimpses') waiting?.resolve(message.glimpses)
    else waiting?.reject(new Error(message.message))
  }

  /** No more answers will come. */
  end(why: string): void {
    this.#ended = why
    for (const { reject } of this.#waiting.values()) reject(new Error(why))
    this.#waiting.clear()
  }
}

/** Details that are asked for; the latest records stay at hand. */
export function askedDetails(questions: Questions): Details {
  const kept = new Map<number, ViewRecord>()
  const keep = (record: ViewRecord) => {
    kept.set(record.seq, record)
    if (kept.size > KEPT) for (const oldest of kept.keys()) return void kept.delete(oldest)
  }
  const one = async (kind: 'views' | 'stimuli', seq: number): Promise<unknown> => {
    const [record] = (await questions.ask(id => ({ kind, id, seqs: [seq] }))) as readonly unknown[]
    return record
  }
  return {
    peek: seq => kept.get(seq),
    record: async seq => {
      const record = kept.get(seq) ?? ((await one('views', seq)) as ViewRecord)
      keep(record)
      return record
    },
    stimulus: async seq => (await one('stimuli', seq)) as Stimulus,
    match: async (asked, seqs, timeline) => {
      const previous = Int32Array.from(seqs, seq => timeline.previous(seq))
      const answer = await questions.ask(id => ({ kind: 'match', id, questions: asked, seqs, previous }))
      return answer as Uint8Array
    },
    glimpse: async (seqs, pointer) => {
      const answer = await questions.ask(id => ({ kind: 'glimpse', id, seqs, pointer }))
      return answer as readonly Glimpse[]
    },
  }
}

export const decode = (text: string): unknown => decodeValue(JSON.parse(text) as Json)
