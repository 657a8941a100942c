// A response body as received so far: its bytes, and its chunks with timestamps.
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { isTextual, type ResponseKind } from './describe-response.ts'

/** One event, line or chunk of text of a streaming response. */
export interface Part {
  /** Milliseconds since the call was sent. */
  readonly at: number
  /** Name of a server-sent event. */
  readonly event?: string
  readonly id?: string
  readonly text: string
}

/** A snapshot of a body; a later one has a larger `size`. */
export interface Body {
  readonly size: number
  /** The decoded text of a textual body, truncated at `MOST_TEXT`. */
  readonly text: string
  readonly parts: readonly Part[]
  /** Number of parts dropped at the front to limit memory. */
  readonly dropped: number
  /** Number of bytes beyond the stored limit. */
  readonly unkept: number
}

export const NO_BODY: Body = { size: 0, text: '', parts: [], dropped: 0, unkept: 0 }

/** Bytes beyond this are only counted: a stream may never end. */
const MOST_BYTES = 32_000_000
const MOST_TEXT = 4_000_000
export const MOST_PARTS = 10_000

export interface Receiver {
  push(chunk: Uint8Array, at: number): void
  /** Flushes incomplete text. */
  end(at: number): void
  body(): Body
  /** The stored bytes. */
  blob(type: string): Blob
}

/** Collects a response of the given kind. */
export function createReceiver(kind: ResponseKind): Receiver {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  const cutPieces = cutter(kind)
  const decoder = isTextual(kind) ? new TextDecoder() : undefined
  let [size, keptBytes, dropped] = [0, 0, 0]
  let text = ''
  let parts: Part[] = []
  let shownBody: Body | undefined
  const read = (piece: string, at: number, isEnd: boolean) => {
    if (text.length < MOST_TEXT) text += piece.slice(0, MOST_TEXT - text.length)
    parts.push(...cutPieces(piece, at, isEnd))
    // Drop a thousand at a time, since each drop copies the list.
    if (parts.length <= MOST_PARTS + 1_000) return
    dropped += parts.length - MOST_PARTS
    parts = parts.slice(-MOST_PARTS)
  }
  return {
    push(chunk, at) {
      size += chunk.byteLength
      if (keptBytes + chunk.byteLength <= MOST_BYTES) {
        chunks.push(new Uint8Array(chunk))
        keptBytes += chunk.byteLength
      }
      if (decoder) read(decoder.decode(chunk, { stream: true }), at, false)
      shownBody = undefined
    },
    end(at) {
      if (decoder) read(decoder.decode(), at, true)
      shownBody = undefined
    },
    body: () => (shownBody ??= { size, text, parts: parts.slice(), dropped, unkept: size - keptBytes }),
    blob: type => new Blob(chunks, { type }),
  }
}

type CutPieces = (piece: string, at: number, isEnd: boolean) => readonly Part[]

function cutter(kind: ResponseKind): CutPieces {
  if (kind === 'events') return eventCutter()
  if (kind === 'lines') return lineCutter()
  return (piece, at) => (piece === '' ? [] : [{ at, text: piece }])
}

/** An event longer than any text that is kept is dropped: a stream may never end its first one. */
function eventCutter(): CutPieces {
  let id: string | undefined
  let events: EventSourceMessage[] = []
  let isTooLong = false
  const parser = createParser({
    maxBufferSize: MOST_TEXT,
    onId: last => (id = last),
    onEvent: event => events.push({ ...event, id }),
    onError: ({ type }) => (isTooLong ||= type === 'max-buffer-size-exceeded'),
  })
  return (piece, at) => {
    parser.feed(piece)
    if (isTooLong) parser.reset()
    isTooLong = false
    const parts = events.map(({ event = 'message', data, id }) => ({
      at,
      event,
      text: data,
      ...(id === undefined ? {} : { id }),
    }))
    events = []
    return parts
  }
}

function lineCutter(): CutPieces {
  let rest = ''
  return (piece, at, isEnd) => {
    const lines = (rest + piece).split('\n')
    rest = isEnd ? '' : (lines.pop() ?? '')
    return lines.filter(line => line.trim() !== '').map(text => ({ at, text: text.replace(/\r$/, '') }))
  }
}
