// What went over a topic, in its order: messages both ways, comings and goings, row changes, and how the channel was.
import { formatCount } from '../format.ts'

export type Direction = 'in' | 'out' | 'note'
export type EntryKind = 'broadcast' | 'presence' | 'change' | 'system' | 'state'

export interface Entry {
  /** Counts upwards without gaps. */
  readonly id: number
  /** Milliseconds on the client's clock. */
  readonly at: number
  readonly direction: Direction
  readonly kind: EntryKind
  /** Name of the message, or what happened. */
  readonly event: string
  readonly payload: unknown
  /** In one line. */
  readonly text: string
  /** Of an own message. */
  readonly phase?: 'sending' | 'sent' | 'failed'
  readonly problem?: string
  /** Milliseconds until the server had it; of a row change since it was made, by two clocks. */
  readonly latency?: number
}

export interface NewEntry extends Omit<Entry, 'id' | 'text'> {
  /** What the line tells of it; the payload unless told. */
  readonly told?: unknown
}

/** Older ones go, and are counted. */
export const MOST_ENTRIES = 20_000
/** Dropped so many at a time, for each time costs a copy. */
const BATCH = 2_000

const LINE = 400

/** Bytes as such, wherever they come from. */
export const bytesOf = (payload: unknown): Uint8Array<ArrayBuffer> | undefined =>
  payload instanceof ArrayBuffer ? new Uint8Array(payload) : undefined

/** A payload in one line. */
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

/** The text and the sender of a message in words, as this page sends them. */
export function spoken(payload: unknown): { readonly from?: string; readonly text: string } | undefined {
  if (typeof payload !== 'object' || payload === null) return undefined
  const text: unknown = Reflect.get(payload, 'text')
  const from: unknown = Reflect.get(payload, 'from')
  if (typeof text !== 'string') return undefined
  return typeof from === 'string' ? { from, text } : { text }
}

/** What of the entries after one of them is worth a voice: the words of one, the number of several. */
export function newsOf(entries: readonly Entry[], after: number): string | undefined {
  const come = entries.filter(({ id, direction }) => id > after && direction === 'in')
  const [one] = come
  if (one === undefined) return undefined
  if (come.length > 1) return `${formatCount(come.length)} new entries`
  const words = one.kind === 'broadcast' ? spoken(one.payload) : undefined
  if (words === undefined) return `Received: ${one.event}`
  return words.from === undefined ? words.text : `${words.from}: ${words.text}`
}

/** A log that grows in place; what is shown of it is a matter of ids. */
export class MessageLog {
  #entries: Entry[] = []
  #next = 1

  get entries(): readonly Entry[] {
    return this.#entries
  }

  /** Entries that are no longer kept. */
  get dropped(): number {
    return (this.#entries[0]?.id ?? this.#next) - 1 - this.#cleared
  }

  #cleared = 0

  add({ told, ...entry }: NewEntry): number {
    const id = this.#next++
    this.#entries.push({ ...entry, id, text: lineOf(told ?? entry.payload) })
    if (this.#entries.length >= MOST_ENTRIES + BATCH) this.#entries = this.#entries.slice(-MOST_ENTRIES)
    return id
  }

  /** Puts what became of a message beside it, if it is still there. */
  settle(id: number, change: Pick<Entry, 'phase' | 'problem' | 'latency'>): void {
    const index = id - (this.#entries[0]?.id ?? id)
    const known = this.#entries[index]
    if (known) this.#entries[index] = { ...known, ...change }
  }

  clear(): void {
    this.#entries = []
    this.#cleared = this.#next - 1
  }
}

/** What of a log is to be seen. */
export interface LogFilter {
  readonly words: string
  readonly direction: 'all' | Direction
  readonly kind: 'all' | EntryKind
}

export const ALL: LogFilter = { words: '', direction: 'all', kind: 'all' }

/** Those that fit; every word must be found, in the event or in the payload. */
export function matching(entries: readonly Entry[], filter: LogFilter): readonly Entry[] {
  const words = filter.words.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0 && filter.direction === 'all' && filter.kind === 'all') return entries
  return entries.filter(
    ({ direction, kind, event, text, payload }) =>
      (filter.direction === 'all' || direction === filter.direction) &&
      (filter.kind === 'all' || kind === filter.kind) &&
      words.every(word => `${event} ${wholeText(text, payload)}`.toLowerCase().includes(word)),
  )
}

/** The line is cut; what is looked for may stand behind. */
const wholeText = (text: string, payload: unknown): string =>
  text.length > LINE && !bytesOf(payload) ? jsonOf(payload) : text

const base64Of = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''))

/** One JSON object a line; bytes in base64. */
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
