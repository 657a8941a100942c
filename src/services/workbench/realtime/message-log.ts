// The log of a topic: messages in both directions, presence, row changes, and channel states.
import { formatCount } from '../text/format.ts'

export type Direction = 'in' | 'out' | 'note'
export type EntryKind = 'broadcast' | 'presence' | 'change' | 'system' | 'state'

export interface Entry {
  /** Sequential, without gaps. */
  readonly id: number
  /** Milliseconds on the client's clock. */
  readonly at: number
  readonly direction: Direction
  readonly kind: EntryKind
  /** Name of the message, or what happened. */
  readonly event: string
  readonly payload: unknown
  /** As one line. */
  readonly text: string
  /** Of the user's own message. */
  readonly phase?: 'sending' | 'sent' | 'failed'
  readonly problem?: string
  /**
   * Milliseconds until the server's acknowledgment; for row changes, since the write, measured with two
   * clocks.
   */
  readonly latency?: number
}

export interface NewEntry extends Omit<Entry, 'id' | 'text'> {
  /** The part shown in the list; defaults to the payload. */
  readonly detail?: unknown
}

/** Older entries are dropped and counted. */
export const MOST_ENTRIES = 20_000
/** Entries dropped at a time, since each drop copies the list. */
const BATCH = 2_000

const LINE = 400

/** Bytes of a binary payload of any type. */
export const bytesOf = (payload: unknown): Uint8Array<ArrayBuffer> | undefined =>
  payload instanceof ArrayBuffer ? new Uint8Array(payload) : undefined

/** A payload as one line. */
function lineOf(payload: unknown): string {
  const bytes = bytesOf(payload)
  if (bytes) {
    const first = [...bytes.subarray(0, 24)].map(byte => byte.toString(16).padStart(2, '0')).join(' ')
    return `${bytes.byteLength} bytes: ${first}${bytes.byteLength > 24 ? ' …' : ''}`
  }
  const text = typeof payload === 'string' ? payload : payload === undefined ? '' : jsonOf(payload)
  return text.length > LINE ? `${text.slice(0, LINE)}…` : text
}

const jsonOf = (payload: unknown): string => {
  try {
    return JSON.stringify(payload) ?? ''
  } catch {
    return String(payload)
  }
}

/** The text and sender of a chat message as this page sends it. */
export function spokenText(payload: unknown): { readonly from?: string; readonly text: string } | undefined {
  if (typeof payload !== 'object' || payload === null) return undefined
  const text: unknown = Reflect.get(payload, 'text')
  const from: unknown = Reflect.get(payload, 'from')
  if (typeof text !== 'string') return undefined
  return typeof from === 'string' ? { from, text } : { text }
}

/** The announcement for new entries: the text of one, or the number of several. */
export function announcementOf(entries: readonly Entry[], after: number): string | undefined {
  const received = entries.filter(({ id, direction }) => id > after && direction === 'in')
  const [one] = received
  if (one === undefined) return undefined
  if (received.length > 1) return `${formatCount(received.length)} new entries`
  const words = one.kind === 'broadcast' ? spokenText(one.payload) : undefined
  if (words === undefined) return `Received: ${one.event}`
  return words.from === undefined ? words.text : `${words.from}: ${words.text}`
}

/** A log that grows in place; views refer to entries by id. */
export class MessageLog {
  #entries: Entry[] = []
  #next = 1

  get entries(): readonly Entry[] {
    return this.#entries
  }

  /** Number of dropped entries. */
  get dropped(): number {
    return (this.#entries[0]?.id ?? this.#next) - 1 - this.#cleared
  }

  #cleared = 0

  add({ detail, ...entry }: NewEntry): number {
    const id = this.#next++
    this.#entries.push({ ...entry, id, text: lineOf(detail ?? entry.payload) })
    if (this.#entries.length >= MOST_ENTRIES + BATCH) this.#entries = this.#entries.slice(-MOST_ENTRIES)
    return id
  }

  /** Adds the result of sending to an entry, if it is still stored. */
  settle(id: number, change: Pick<Entry, 'phase' | 'problem' | 'latency'>): void {
    const index = id - (this.#entries[0]?.id ?? id)
    const entry = this.#entries[index]
    if (entry) this.#entries[index] = { ...entry, ...change }
  }

  clear(): void {
    this.#entries = []
    this.#cleared = this.#next - 1
  }
}

/** Filters of the log. */
export interface LogFilter {
  readonly words: string
  readonly direction: 'all' | Direction
  readonly kind: 'all' | EntryKind
}

export const ALL: LogFilter = { words: '', direction: 'all', kind: 'all' }

/** Matching entries; every search term must occur in the event or the payload. */
export function matching(entries: readonly Entry[], filter: LogFilter): readonly Entry[] {
  const words = filter.words.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0 && filter.direction === 'all' && filter.kind === 'all') return entries
  return entries.filter(
    entry =>
      (filter.direction === 'all' || entry.direction === filter.direction) &&
      (filter.kind === 'all' || entry.kind === filter.kind) &&
      words.every(word => `${entry.event} ${wholeText(entry)}`.toLowerCase().includes(word)),
  )
}

/** The line may be truncated or name only what changed; the search covers the whole payload. */
const wholeText = ({ kind, text, payload }: Entry): string => {
  if (kind === 'change') return `${text} ${jsonOf(payload)}`
  return text.length > LINE && !bytesOf(payload) ? jsonOf(payload) : text
}

const base64Of = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''))

/** One JSON object per line; bytes in base64. */
export function exportLines(entries: readonly Entry[], wallOf: (at: number) => string): string {
  return entries
    .map(({ id, at, direction, kind, event, payload, phase, problem, latency }) => {
      const bytes = bytesOf(payload)
      return JSON.stringify({
        id,
        at: wallOf(at),
        direction,
        kind,
        event,
        ...(bytes ? { base64: base64Of(bytes) } : { payload }),
        ...(phase && { phase }),
        ...(problem !== undefined && { problem }),
        ...(latency !== undefined && { latency: Math.round(latency * 10) / 10 }),
      })
    })
    .map(line => `${line}\n`)
    .join('')
}
