// What has come of an answer's body so far: its bytes, and the pieces in which they came, each with its time.
import { isTextual, type AnswerKind } from './answer-kind.ts'
import { createEventReader } from './sse.ts'

/** One event, line or piece of text of a streaming answer. */
export interface Part {
  /** Milliseconds since the call was sent. */
  readonly at: number
  /** Name of a server-sent event. */
  readonly event?: string
  readonly id?: string
  readonly text: string
}

/** What is known of a body at one moment; a later one has a later `size`. */
export interface Body {
  readonly size: number
  /** As text, as far as it is text; cut at `MOST_TEXT`. */
  readonly text: string
  readonly parts: readonly Part[]
  /** Parts that were dropped at the front, for there are too many. */
  readonly dropped: number
  /** Bytes beyond those that are kept. */
  readonly unkept: number
}

export const NO_BODY: Body = { size: 0, text: '', parts: [], dropped: 0, unkept: 0 }

/** More is counted, but no longer kept: a stream may go on for ever. */
const MOST_BYTES = 32_000_000
const MOST_TEXT = 4_000_000
export const MOST_PARTS = 10_000

export interface Receiver {
  push(chunk: Uint8Array, at: number): void
  /** What was held back for its other half. */
  end(at: number): void
  body(): Body
  /** The bytes that were kept. */
  blob(type: string): Blob
}

/** Collects an answer of the given kind. */
export function createReceiver(kind: AnswerKind): Receiver {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  const cut = cutter(kind)
  const decoder = isTextual(kind) ? new TextDecoder() : undefined
  let [size, kept, dropped] = [0, 0, 0]
  let text = ''
  let parts: Part[] = []
  let shown: Body | undefined
  const read = (piece: string, at: number, isEnd: boolean) => {
    if (text.length < MOST_TEXT) text += piece.slice(0, MOST_TEXT - text.length)
    parts.push(...cut(piece, at, isEnd))
    // Dropped by the thousand: each time costs a copy.
    if (parts.length <= MOST_PARTS + 1_000) return
    dropped += parts.length - MOST_PARTS
    parts = parts.slice(-MOST_PARTS)
  }
  return {
    push(chunk, at) {
      size += chunk.byteLength
      if (kept + chunk.byteLength <= MOST_BYTES) {
        chunks.push(new Uint8Array(chunk))
        kept += chunk.byteLength
      }
      if (decoder) read(decoder.decode(chunk, { stream: true }), at, false)
      shown = undefined
    },
    end(at) {
      if (decoder) read(decoder.decode(), at, true)
      shown = undefined
    },
    body: () => (shown ??= { size, text, parts: parts.slice(), dropped, unkept: size - kept }),
    blob: type => new Blob(chunks, { type }),
  }
}

type Cut = (piece: string, at: number, isEnd: boolean) => readonly Part[]

function cutter(kind: AnswerKind): Cut {
  if (kind === 'events') return eventCutter()
  if (kind === 'lines') return lineCutter()
  return (piece, at) => (piece === '' ? [] : [{ at, text: piece }])
}

function eventCutter(): Cut {
  const reader = createEventReader()
  return (piece, at) =>
    reader
      .push(piece)
      .map(({ event, data, id }) => ({ at, event, text: data, ...(id === undefined ? {} : { id }) }))
}

function lineCutter(): Cut {
  let rest = ''
  return (piece, at, isEnd) => {
    const lines = (rest + piece).split('\n')
    rest = isEnd ? '' : (lines.pop() ?? '')
    return lines.filter(line => line.trim() !== '').map(text => ({ at, text: text.replace(/\r$/, '') }))
  }
}
