// Follows a running recording: collects new lines and sends them often enough that a crash loses little.
import {
  type BookmarkRecord,
  createLineEncoder,
  encodeValue,
  isFailure,
  type LineEncoder,
  type Stimulus,
  textAt,
} from '../../../trace/index.ts'
import type { WriterOrder } from './store-messages.ts'
import { createSlices } from '../../runtime/index.ts'
import { followed, type Followed, type Recordable } from './recordable.ts'
import type { Segment } from './segments.ts'
import type { Writing } from './trace-store.ts'

export interface FollowOptions {
  /** Sends orders in call order; never rejects. */
  readonly send: (orders: readonly WriterOrder[]) => Promise<void>
  /** Creates an id for a recording. */
  readonly id: () => string
  /** Name of the writer. */
  readonly writer: string
  /** Called when following fails. Nothing more is written afterwards. */
  readonly onFailure: (error: unknown) => void
  /** Called often while lines are encoded; a returned promise is awaited. By default, the page gets turns. */
  readonly pause?: () => Promise<void> | undefined
}

/** In ms. The promised maximum is a quarter of a second; the rest is reserved for the write itself. */
const FLUSH_AFTER = 150

/** Lines that are encoded between two looks at the time. */
const LINES = 16
/** Lines after which a message is sent although there are more: they may come as fast as they are encoded. */
const MOST_LINES = 4_000

/**
 * Segment size in characters after which a new segment begins, so that the oldest removable part is not too
 * large.
 */
const SEGMENT = 32_000_000

interface Current {
  readonly id: string
  readonly run: number
  /** Earlier segments are written completely. */
  readonly segment: Segment
  readonly encoder: LineEncoder
  /** Encoded, but not sent yet. */
  readonly lines: string[]
  readonly summary: Summary
}

/** What a list shows of the events of a segment; each event is read once. */
interface Summary {
  read: number
  failures: number
  /** Also from the segments before it. */
  user: string | undefined
}

/** Where events name the user: the client's own, and events of apps with the official session. */
const USERS = [
  ['token', 'user', 'id'],
  ['session', 'user', 'id'],
  ['user', 'id'],
] as const

function summarize(summary: Summary, stimuli: readonly Stimulus[]): void {
  for (const { event } of stimuli.slice(summary.read)) {
    if (isFailure(textAt(event, 'type') ?? '')) summary.failures += 1
    for (const path of USERS) summary.user = textAt(event, ...path) ?? summary.user
  }
  summary.read = stimuli.length
}

/** Follows one recording. */
export class Follower implements Writing {
  readonly #source: Followed
  readonly #options: FollowOptions
  readonly #leave: (() => void)[]
  /** Secrets discovered since the last send, with their pseudonyms. */
  #secrets: (readonly [secret: string, pseudonym: string])[] = []
  #current: Current | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #sent: Promise<void> = Promise.resolve()
  #underWay = 0
  #isEncoding = false
  /** About earlier segments, not sent yet. */
  readonly #orders: WriterOrder[] = []
  /** Characters in the current segment. */
  #size = 0
  /** Number of bookmarks written for each segment. */
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

  /** Call this when something may have been recorded. */
  touch(): void {
    if (this.#isOver) return
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      // If the disk is too slow, send larger batches.
      if (this.#underWay > 0 || this.#isEncoding) this.touch()
      else void this.#sendInSlices(this.#options.pause ?? createSlices())
    }, FLUSH_AFTER)
  }

  /** Encodes in several tasks, between which the page can draw, and sends it all. */
  async #sendInSlices(pause: () => Promise<void> | undefined): Promise<void> {
    this.#isEncoding = true
    try {
      let lines = 0
      while (this.#encode(LINES) && lines < MOST_LINES) {
        lines += LINES
        await pause()
      }
      this.#isEncoding = false
      this.#send(false)
      if (lines >= MOST_LINES) this.touch()
    } catch (error) {
      this.#fail(error)
    }
  }

  /** Whether this follower writes the recording with this id. */
  writes(id: string): boolean {
    return this.#current?.id === id
  }

  /** Begins a new segment. Everything before it may then be removed. */
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

  /** @param isAll whether the lines that are not encoded yet are encoded and sent, too */
  #send(isAll = true): void {
    if (this.#isOver) return
    try {
      const orders = this.#take(isAll)
      if (orders.length > 0) this.#pass(orders)
      if (this.#size >= SEGMENT) this.renew()
    } catch (error) {
      this.#fail(error)
    }
  }

  #fail(error: unknown): void {
    this.#close()
    this.#options.onFailure(error)
  }

  #pass(orders: readonly WriterOrder[]): void {
    this.#underWay += 1
    this.#sent = this.#options.send(orders).finally(() => void (this.#underWay -= 1))
  }

  #take(isAll: boolean): WriterOrder[] {
    while (isAll && this.#encode(Number.POSITIVE_INFINITY)) continue
    const orders = this.#orders.splice(0)
    const current = this.#current
    if (current) orders.push(...this.#notes(current), ...encodedOf(current))
    if (current && this.#secrets.length > 0)
      orders.push({ kind: 'hide', id: current.id, secrets: this.#secrets })
    if (this.#source.isRecording()) this.#secrets = []
    for (const order of orders) if (order.kind === 'append') this.#size += order.text.length
    return orders
  }

  /** Encodes at least this many new lines, or moves to the next segment. Returns false if nothing is left. */
  #encode(most: number): boolean {
    if (this.#isOver) return false
    const [run, isRecording] = [this.#source.run(), this.#source.isRecording()]
    if (this.#current && (this.#current.run !== run || !isRecording)) {
      this.#orders.push({ kind: 'end', id: this.#current.id })
      this.#current = undefined
    }
    if (!isRecording) return false
    const lines = this.#current?.encoder.next(most) ?? []
    this.#current?.lines.push(...lines)
    return lines.length >= most || this.#openNext(run)
  }

  /** Moves to the segment after the current one. Returns false if there is none. */
  #openNext(run: number): boolean {
    const before = this.#current
    const segment = this.#source.list().find(({ number }) => !before || number > before.segment.number)
    if (!segment) return false
    if (before) {
      this.#orders.push(...encodedOf(before))
      this.#noted.set(before.segment.number, before.segment.trace.bookmarks.length)
    } else this.#noted.clear()
    const id = before?.id ?? this.#options.id()
    if (!before) this.#orders.push(this.#begin(id, segment))
    const { number, at, isRestorable } = segment
    const { startedAt } = segment.trace.header
    this.#orders.push({ kind: 'segment', id, number, at, isRestorable, startedAt })
    const summary = { read: 0, failures: 0, user: before?.summary.user }
    this.#current = { id, run, segment, encoder: createLineEncoder(segment.trace), lines: [], summary }
    this.#size = 0
    return true
  }

  /** Bookmarks added to steps of earlier segments. */
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

function* encodedOf({ id, segment, lines, summary }: Current): Generator<WriterOrder> {
  if (lines.length === 0) return
  const { stimuli, steps } = segment.trace
  const until = segment.at + Math.max(stimuli.at(-1)?.t ?? 0, steps.at(-1)?.t ?? 0)
  const text = `${lines.splice(0).join('\n')}\n`
  summarize(summary, stimuli)
  const { failures, user } = summary
  yield { kind: 'append', id, text, stimuli: stimuli.length, steps: steps.length, failures, user, until }
}
