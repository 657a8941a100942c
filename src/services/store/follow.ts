// Follows a running recording: gathers its lines as they come, and sends them on often enough for a crash to cost little.
import { encodeValue } from '../../trace/codec.ts'
import type { BookmarkRecord } from '../../trace/format.ts'
import { createLineEncoder, type LineEncoder } from '../../trace/encode.ts'
import type { WriterOrder } from './orders.ts'
import { followed, type Followed, type Recordable } from './recordable.ts'
import type { Segment } from './segments.ts'
import type { Writing } from './trace-store.ts'

export interface FollowOptions {
  /** Takes orders, in the order of the calls; never rejects. */
  readonly send: (orders: readonly WriterOrder[]) => Promise<void>
  /** A new id for a recording. */
  readonly id: () => string
  /** Who writes. */
  readonly writer: string
  /** Hears what went wrong here; nothing more is written then. */
  readonly onFailure: (error: unknown) => void
}

/** A quarter of a second is promised; what is left of it is for the way to the disk. */
const FLUSH_AFTER = 150

/** Characters of a segment after which another one begins, so that the oldest part that can go is not too large. */
const SEGMENT = 32_000_000

interface Current {
  readonly id: string
  readonly run: number
  /** Those before it are written whole. */
  readonly segment: Segment
  readonly encoder: LineEncoder
}

/** One recording being followed. */
export class Follower implements Writing {
  readonly #source: Followed
  readonly #options: FollowOptions
  readonly #leave: (() => void)[]
  /** What became known as a secret since something was sent, and what takes its place. */
  #secrets: (readonly [secret: string, pseudonym: string])[] = []
  #current: Current | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #sent: Promise<void> = Promise.resolve()
  #underWay = 0
  /** Characters of the present segment. */
  #size = 0
  /** How many notes on each segment are written. */
  readonly #noted = new Map<number, number>()
  #isOver = false

  constructor(recording: Recordable, options: FollowOptions) {
    this.#source = followed(recording)
    this.#options = options
    this.#leave = [
      this.#source.trace.subscribe(() => this.touch()),
      this.#source.onSecret((...secret) => {
        this.#secrets.push(secret)
        this.touch()
      }),
      this.#source.onEnd(() => {
        this.#send()
        this.touch()
      }),
    ]
    this.#send()
  }

  /** To be called when something may have been recorded. */
  touch(): void {
    if (this.#isOver) return
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      // A disk that can't keep up is sent more at once.
      if (this.#underWay > 0) this.touch()
      else this.#send()
    }, FLUSH_AFTER)
  }

  /** Whether this is the recording that it writes. */
  writes(id: string): boolean {
    return this.#current?.id === id
  }

  /** Begins a new segment: what comes before it may go. */
  renew(): void {
    if (!this.#isOver && this.#source.isRecording()) this.#source.renew()
  }

  flush(): Promise<void> {
    this.#send()
    return this.#sent
  }

  stop(): Promise<void> {
    if (this.#isOver) return this.#sent
    this.#send()
    this.#close()
    if (this.#current) this.#pass([{ kind: 'end', id: this.#current.id }])
    this.#current = undefined
    return this.#sent
  }

  #close(): void {
    this.#isOver = true
    for (const leave of this.#leave) leave()
    clearTimeout(this.#timer)
  }

  #send(): void {
    if (this.#isOver) return
    try {
      const orders = this.#take()
      if (orders.length > 0) this.#pass(orders)
      if (this.#size >= SEGMENT) this.renew()
    } catch (error) {
      this.#close()
      this.#options.onFailure(error)
    }
  }

  #pass(orders: readonly WriterOrder[]): void {
    this.#underWay += 1
    this.#sent = this.#options.send(orders).finally(() => void (this.#underWay -= 1))
  }

  #take(): WriterOrder[] {
    const orders: WriterOrder[] = []
    const [run, isRecording] = [this.#source.run(), this.#source.isRecording()]
    if (this.#current && (this.#current.run !== run || !isRecording)) {
      orders.push({ kind: 'end', id: this.#current.id })
      this.#current = undefined
    }
    if (!isRecording) return orders
    for (const segment of this.#source.list()) {
      const before = this.#current
      if (before && segment.number <= before.segment.number) continue
      if (!before) this.#noted.clear()
      if (before) {
        orders.push(...restOf(before))
        this.#noted.set(before.segment.number, before.segment.trace.bookmarks.length)
      }
      const id = before?.id ?? this.#options.id()
      if (!before) orders.push(this.#begin(id, segment))
      const { number, at, isRestorable } = segment
      const { startedAt } = segment.trace.header
      orders.push({ kind: 'segment', id, number, at, isRestorable, startedAt })
      this.#current = { id, run, segment, encoder: createLineEncoder(segment.trace) }
      this.#size = 0
    }
    if (this.#current) orders.push(...this.#notes(this.#current), ...restOf(this.#current))
    if (this.#current && this.#secrets.length > 0)
      orders.push({ kind: 'hide', id: this.#current.id, secrets: this.#secrets })
    this.#secrets = []
    for (const order of orders) if (order.kind === 'append') this.#size += order.text.length
    return orders
  }

  /** Those that were made on steps of segments before the present one. */
  *#notes({ id, segment: present }: Current): Generator<WriterOrder> {
    for (const { number, trace } of this.#source.list()) {
      const { bookmarks } = trace
      const news = bookmarks.slice(this.#noted.get(number) ?? 0)
      this.#noted.set(number, bookmarks.length)
      if (number < present.number && news.length > 0) yield { kind: 'note', id, number, text: linesOf(news) }
    }
  }

  #begin(id: string, { trace }: Segment): WriterOrder {
    const { system, startedAt } = trace.header
    return { kind: 'begin', id, system, startedAt, writer: this.#options.writer }
  }
}

const linesOf = (notes: readonly BookmarkRecord[]): string =>
  notes.map(note => `${JSON.stringify(encodeValue(note))}\n`).join('')

function* restOf({ id, segment, encoder }: Current): Generator<WriterOrder> {
  const lines = encoder.next()
  if (lines.length === 0) return
  const { stimuli, views } = segment.trace
  const until = segment.at + Math.max(stimuli.at(-1)?.t ?? 0, views.at(-1)?.t ?? 0)
  const text = `${lines.join('\n')}\n`
  yield { kind: 'append', id, text, stimuli: stimuli.length, views: views.length, until }
}
