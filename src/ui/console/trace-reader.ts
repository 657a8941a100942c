// Reads a trace file away from the page's thread and gives it over in portions, each soon taken up.
import { encodeValue } from '../../trace/codec.ts'
import { readTrace } from '../../trace/decode.ts'
import type { Damage, TraceSource } from '../../trace/format.ts'

/** Characters of one portion: decoding as many takes a few milliseconds. */
const PORTION = 200_000

/** What the reader is asked for: first to read a file, then for one portion after the other. */
export type ReaderRequest = Uint8Array<ArrayBuffer> | 'next'

export type ReaderAnswer =
  | { readonly kind: 'refused'; readonly message: string }
  /** `records` is a JSON list as the codec writes it; `share` is how much is given over, from 0 to 1. */
  | { readonly kind: 'portion'; readonly records: string; readonly share: number }
  | { readonly kind: 'end'; readonly damage: readonly Damage[] }

/** Answers one request after the other about one file; never rejects. */
export function createTraceReader(): (request: ReaderRequest) => Promise<ReaderAnswer> {
  let portions: Iterator<ReaderAnswer> = [][Symbol.iterator]()
  return async request => {
    try {
      if (request !== 'next') {
        const result = await readTrace(request)
        if (result.kind === 'unusable') return refused(`${capital(result.message)}.`)
        portions = portionsOf(result.trace)
      }
      const next = portions.next()
      return next.done ? refused('There is no file to read.') : next.value
    } catch (error) {
      return refused(`The file could not be read: ${String(error)}`)
    }
  }
}

/** As text in the codec's words: a structured clone would lose the classes and names that it knows. */
function* portionsOf({ header, actors, stimuli, views, damage }: TraceSource): Generator<ReaderAnswer> {
  const total = 1 + actors.length + stimuli.length + views.length
  let taken = 0
  let lines: string[] = []
  let length = 0
  for (const part of [[header], actors, stimuli, views]) {
    for (const record of part) {
      const line = JSON.stringify(encodeValue(record))
      taken += 1
      length += line.length
      lines.push(line)
      if (length < PORTION && taken < total) continue
      yield { kind: 'portion', records: `[${lines.join(',')}]`, share: taken / total }
      lines = []
      length = 0
    }
  }
  yield { kind: 'end', damage }
}

const refused = (message: string): ReaderAnswer => ({ kind: 'refused', message })

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
