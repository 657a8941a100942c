// The keeper: puts what writers send on a shelf, makes room, and finds what was cut off.
import { bytesOf, isFull, withLast, type Card, type Shelf, type StoredSegment } from './shelf.ts'
import { toFile } from './stored-file.ts'
import type { Retention, StoredRecording, StoreStatus } from './trace-store.ts'

/** What a writer sends, in order. */
export type WriterOrder =
  | {
      readonly kind: 'begin'
      readonly id: string
      readonly system: string
      readonly startedAt: string
      readonly writer: string
    }
  | {
      readonly kind: 'segment'
      readonly id: string
      readonly number: number
      readonly at: number
      readonly isRestorable: boolean
    }
  | {
      readonly kind: 'append'
      readonly id: string
      /** Whole lines, each with its break. */
      readonly text: string
      /** What the segment holds with them. */
      readonly stimuli: number
      readonly views: number
      /** Milliseconds from the beginning of the recording. */
      readonly until: number
    }
  | { readonly kind: 'end'; readonly id: string }

export interface KeeperOptions {
  readonly shelf: Shelf
  readonly retention: Retention
  /** Milliseconds of the time of day. */
  readonly now: () => number
  readonly onStatus: (status: StoreStatus) => void
}

const DAY = 86_400_000
const RECORDINGS = 20
const BYTES = 200_000_000
const DAYS = 14

/** Between two looks at what others have put there. */
const LOOK_EVERY = 5_000_000

interface Open {
  card: Card
  readonly release: () => void
  /** There was no room for something: the rest of the segment can't be kept either. */
  isBroken: boolean
}

/** One keeper for each place and writer; does one thing after the other. */
export class Keeper {
  readonly #options: KeeperOptions
  readonly #open = new Map<string, Open>()
  #turn: Promise<unknown> = Promise.resolve()
  #status: StoreStatus
  /** Bytes of the recordings, as of the last look and what was written since. */
  #bytes = 0
  #written = Number.POSITIVE_INFINITY

  constructor(options: KeeperOptions) {
    this.#options = options
    this.#status = { state: 'idle', bytes: 0, quota: options.retention.bytes ?? BYTES }
  }

  /** The newest first. */
  list(): Promise<StoredRecording[]> {
    return this.#queue(async () => {
      const { shelf } = this.#options
      const [cards, held] = [await shelf.cards(), await shelf.held()]
      this.#bytes = cards.reduce((sum, card) => sum + bytesOf(card), 0)
      return cards.sort(newestFirst).map(card => toRecording(this.#open.get(card.id)?.card ?? card, held))
    })
  }

  /** A gzipped trace file. */
  open(id: string): Promise<Blob | undefined> {
    return this.#queue(async () => {
      const card = (await this.#options.shelf.cards()).find(one => one.id === id)
      return card && toFile(card, segment => this.#options.shelf.read(id, segment))
    })
  }

  delete(id: string): Promise<void> {
    return this.#queue(async () => {
      await this.#options.shelf.remove(id)
      this.#written = Number.POSITIVE_INFINITY
    })
  }

  keep(id: string, kept: boolean): Promise<void> {
    return this.#queue(async () => {
      const { shelf } = this.#options
      const running = this.#open.get(id)
      if (running) running.card = { ...running.card, kept }
      const card = running?.card ?? (await shelf.cards()).find(one => one.id === id)
      if (card) await shelf.put({ ...card, kept })
    })
  }

  /** Never rejects: what went wrong is in the status. */
  async write(orders: readonly WriterOrder[]): Promise<void> {
    await this.#queue(async () => {
      for (const order of orders) await this.#obey(order)
    }).catch((error: unknown) => this.#tell('unavailable', `Recordings can't be stored: ${describe(error)}`))
  }

  /** Exchanges text in all that this keeper is writing, such as a secret that became known late. */
  replace(edit: (text: string) => string): Promise<void> {
    return this.#queue(async () => {
      for (const id of this.#open.keys()) await this.#options.shelf.replace(id, edit)
    })
  }

  async close(): Promise<void> {
    await this.#queue(() => Promise.all([...this.#open.keys()].map(id => this.#end(id)))).catch(
      () => undefined,
    )
    this.#options.shelf.close()
  }

  #queue<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work)
    this.#turn = result.catch(() => undefined)
    return result
  }

  async #obey(order: WriterOrder): Promise<void> {
    if (order.kind === 'begin') return this.#begin(order)
    const open = this.#open.get(order.id)
    if (!open) return
    if (order.kind === 'end') return this.#end(order.id)
    if (order.kind === 'append') return this.#append(open, order)
    await this.#pack(open)
    const { number, at, isRestorable } = order
    const segment: StoredSegment = { number, at, isRestorable, stimuli: 0, views: 0, bytes: 0 }
    open.card = { ...open.card, segments: [...open.card.segments, segment] }
    // What is missing lies between the segments before and this one, so those can't lead up to it.
    if (open.isBroken) while (open.card.segments.length > 1) await this.#shorten(open)
    open.isBroken = false
  }

  async #begin({ kind: _, ...known }: Extract<WriterOrder, { kind: 'begin' }>): Promise<void> {
    const { shelf } = this.#options
    const card = { ...known, kept: false, closed: false, shortened: false, duration: 0, segments: [] }
    this.#open.set(known.id, { card, release: await shelf.hold(known.id), isBroken: false })
    await this.#tidy()
  }

  async #append(open: Open, order: Extract<WriterOrder, { kind: 'append' }>): Promise<void> {
    if (open.isBroken) return
    const { stimuli, views, until, text } = order
    const { shelf, retention } = this.#options
    if (this.#written > LOOK_EVERY) await this.#tidy()
    if (this.#bytes + text.length > (retention.bytes ?? BYTES)) await this.#makeRoom(open)
    for (;;) {
      try {
        const card = withLast({ ...open.card, duration: until }, { stimuli, views })
        this.#replace(open, await shelf.append(card, text))
        return this.#tell('writing')
      } catch (error) {
        if (!isFull(error)) throw error
        if (await this.#makeRoom(open)) continue
        open.isBroken = true
        return this.#tell('full', 'There is no room left for the recording; it goes on when there is some.')
      }
    }
  }

  /** Frees what matters least: an old recording, else the beginning of the one that is being written. */
  async #makeRoom(open: Open): Promise<boolean> {
    const { shelf } = this.#options
    const held = await shelf.held()
    const oldest = (await shelf.cards())
      .filter(card => !card.kept && !held.has(card.id) && !this.#open.has(card.id))
      .sort(newestFirst)
      .at(-1)
    if (oldest) {
      await shelf.remove(oldest.id)
      this.#bytes -= bytesOf(oldest)
      return true
    }
    return open.card.segments.slice(1).some(segment => segment.isRestorable) && this.#shorten(open)
  }

  async #shorten(open: Open): Promise<boolean> {
    const { segments, id } = open.card
    const from = Math.max(
      1,
      segments.findIndex((segment, at) => at > 0 && segment.isRestorable),
    )
    for (const { number, bytes } of segments.slice(0, from)) {
      await this.#options.shelf.removeSegment(id, number)
      this.#bytes -= bytes
    }
    open.card = { ...open.card, shortened: true, segments: segments.slice(from) }
    await this.#options.shelf.put(open.card)
    return true
  }

  async #pack(open: Open): Promise<void> {
    if (open.card.segments.length > 0) this.#replace(open, await this.#options.shelf.pack(open.card))
  }

  async #end(id: string): Promise<void> {
    const open = this.#open.get(id)
    if (!open) return
    this.#open.delete(id)
    try {
      await this.#pack(open)
      await this.#options.shelf.put({ ...open.card, closed: !open.isBroken })
    } finally {
      open.release()
    }
    if (this.#open.size === 0) this.#tell('idle')
  }

  /** Lets go what is beyond the retention. */
  async #tidy(): Promise<void> {
    const { shelf, now, retention } = this.#options
    const { recordings = RECORDINGS, bytes = BYTES, days = DAYS } = retention
    const held = await shelf.held()
    const cards = (await shelf.cards()).sort(newestFirst)
    let [count, sum] = [0, 0]
    for (const card of cards) {
      count += 1
      sum += bytesOf(card)
      const isOld = now() - Date.parse(card.startedAt) > days * DAY
      const isSpared = card.kept || held.has(card.id) || this.#open.has(card.id)
      if (isSpared || (count <= recordings && sum <= bytes && !isOld)) continue
      await shelf.remove(card.id)
      count -= 1
      sum -= bytesOf(card)
    }
    this.#bytes = sum
    this.#written = 0
    const quota = await shelf.quota()
    if (quota !== undefined) this.#status = { ...this.#status, quota: Math.min(quota, bytes) }
  }

  #replace(open: Open, card: Card): void {
    const grown = bytesOf(card) - bytesOf(open.card)
    this.#bytes += grown
    this.#written += Math.max(0, grown)
    open.card = card
  }

  #tell(state: StoreStatus['state'], reason?: string): void {
    const { quota } = this.#status
    this.#status = { state, bytes: this.#bytes, quota, ...(reason !== undefined && { reason }) }
    this.#options.onStatus(this.#status)
  }
}

const newestFirst = (a: Card, b: Card) => b.startedAt.localeCompare(a.startedAt) || b.id.localeCompare(a.id)

function toRecording(card: Card, held: ReadonlySet<string>): StoredRecording {
  const { id, system, startedAt, writer, kept, shortened, segments } = card
  const [first] = segments
  return {
    ...{ id, system, startedAt, writer, kept, shortened },
    duration: card.duration - (first?.at ?? 0),
    stimuli: segments.reduce((sum, segment) => sum + segment.stimuli, 0),
    views: segments.reduce((sum, segment) => sum + segment.views, 0),
    bytes: bytesOf(card),
    state: card.closed ? 'closed' : held.has(id) ? 'running' : 'cutOff',
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
