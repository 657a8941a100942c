// The keeper: puts what writers send on a shelf, makes room for it, and finds what was cut off.
import { newestFirst, Room } from './room.ts'
import { bytesOf, isFull, toRecording, withLast, type Card, type Shelf, type StoredSegment } from './shelf.ts'
import { toFile } from './stored-file.ts'
import type { WriterOrder } from './orders.ts'
import type { Retention, StoredRecording, StoreStatus } from './trace-store.ts'

type Order<Kind> = Extract<WriterOrder, { readonly kind: Kind }>

export interface KeeperOptions {
  readonly shelf: Shelf
  readonly retention: Retention
  /** Milliseconds of the time of day. */
  readonly now: () => number
  readonly onStatus: (status: StoreStatus) => void
}

interface Open {
  card: Card
  readonly release: () => void
  /** There was no room for something: the rest of the segment can't be kept either. */
  isBroken: boolean
}

const NO_ROOM = 'There is no room left for the recording; it goes on when there is some.'

/** One keeper for each place and writer; does one thing after the other. */
export class Keeper {
  readonly #shelf: Shelf
  readonly #room: Room
  readonly #onStatus: (status: StoreStatus) => void
  readonly #open = new Map<string, Open>()
  #turn: Promise<unknown> = Promise.resolve()

  constructor({ onStatus, ...options }: KeeperOptions) {
    this.#shelf = options.shelf
    this.#room = new Room(options)
    this.#onStatus = onStatus
  }

  /** The newest first. */
  list(): Promise<StoredRecording[]> {
    return this.#queue(async () => {
      const held = await this.#shelf.held()
      const cards = (await this.#shelf.cards()).map(card => this.#open.get(card.id)?.card ?? card)
      return cards.sort(newestFirst).map(card => toRecording(card, held))
    })
  }

  /** A gzipped trace file. */
  open(id: string): Promise<Blob | undefined> {
    return this.#queue(async () => {
      const card = await this.#find(id)
      return card && toFile(card, segment => this.#shelf.read(id, segment))
    })
  }

  delete(id: string): Promise<void> {
    return this.#queue(async () => {
      await this.#shelf.remove(id)
      // A recording that goes on can do so with its next segment.
      const open = this.#open.get(id)
      if (open) Object.assign(open, { isBroken: true, card: { ...open.card, shortened: true, segments: [] } })
      await this.#room.tidy(true)
    })
  }

  keep(id: string, kept: boolean): Promise<void> {
    return this.#queue(async () => {
      const card = await this.#find(id)
      if (!card) return
      const changed = { ...card, kept }
      await this.#shelf.put(changed)
      const open = this.#open.get(id)
      if (open) open.card = changed
    })
  }

  /** Never rejects: what went wrong is in the status. */
  async write(orders: readonly WriterOrder[]): Promise<void> {
    await this.#queue(async () => {
      for (const order of orders) await this.#obey(order).catch((error: unknown) => this.#lost(order, error))
    })
  }

  /** Exchanges text in all that this keeper is writing, such as a secret that became known late. */
  replace(edit: (text: string) => string): Promise<void> {
    return this.#queue(async () => {
      for (const id of this.#open.keys()) await this.#shelf.replace(id, edit)
    })
  }

  async close(): Promise<void> {
    await this.write([...this.#open.keys()].map(id => ({ kind: 'end', id })))
    this.#shelf.close()
  }

  #queue<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work)
    this.#turn = result.catch(() => undefined)
    return result
  }

  async #find(id: string): Promise<Card | undefined> {
    return this.#open.get(id)?.card ?? (await this.#shelf.cards()).find(card => card.id === id)
  }

  async #obey(order: WriterOrder): Promise<void> {
    if (order.kind === 'begin') return this.#begin(order)
    const open = this.#open.get(order.id)
    if (!open) return
    if (order.kind === 'end') return this.#end(order.id)
    return order.kind === 'append' ? this.#append(open, order) : this.#segment(open, order)
  }

  async #begin({ id, system, startedAt, writer }: Order<'begin'>): Promise<void> {
    const known = { id, system, startedAt, writer }
    const card: Card = {
      ...known,
      kept: false,
      closed: false,
      shortened: false,
      duration: 0,
      segments: [],
    }
    this.#open.set(id, { card, release: await this.#shelf.hold(id), isBroken: false })
    await this.#room.tidy(true)
  }

  async #segment(open: Open, { number, at, isRestorable }: Order<'segment'>): Promise<void> {
    await this.#pack(open)
    const segment: StoredSegment = { number, at, isRestorable, stimuli: 0, views: 0, bytes: 0 }
    open.card = { ...open.card, segments: [...open.card.segments, segment] }
    // What is missing lies between the segments before and this one, so those can't lead up to it.
    if (open.isBroken) await this.#shorten(open, open.card.segments.length - 1)
    open.isBroken = false
  }

  async #append(open: Open, { text, stimuli, views, until }: Order<'append'>): Promise<void> {
    if (open.isBroken) return
    await this.#room.tidy()
    while (this.#room.isFullWith(text.length) && (await this.#makeRoom(open))) continue
    for (;;) {
      try {
        const card = withLast({ ...open.card, duration: until }, { stimuli, views })
        this.#changed(open, await this.#shelf.append(card, text))
        return this.#tell('writing')
      } catch (error) {
        if (!isFull(error) || !(await this.#makeRoom(open))) throw error
      }
    }
  }

  /** What matters least goes: an old recording, else the beginning of the one that is being written. */
  async #makeRoom(open: Open): Promise<boolean> {
    if (await this.#room.free()) return true
    const from = open.card.segments.findIndex(({ isRestorable }, at) => at > 0 && isRestorable)
    if (from > 0) await this.#shorten(open, from)
    return from > 0
  }

  async #shorten(open: Open, from: number): Promise<void> {
    const { segments, id } = open.card
    if (from === 0) return
    for (const { number } of segments.slice(0, from)) await this.#shelf.removeSegment(id, number)
    this.#changed(open, { ...open.card, shortened: true, segments: segments.slice(from) })
    await this.#shelf.put(open.card)
  }

  async #pack(open: Open): Promise<void> {
    if (open.card.segments.length > 0) this.#changed(open, await this.#shelf.pack(open.card))
  }

  async #end(id: string): Promise<void> {
    const open = this.#open.get(id)
    if (!open) return
    this.#open.delete(id)
    try {
      await this.#pack(open)
      if (open.card.segments.length > 0) await this.#shelf.put({ ...open.card, closed: true })
      else await this.#shelf.remove(id)
    } finally {
      open.release()
    }
    if (this.#open.size === 0) this.#tell('idle')
  }

  #changed(open: Open, card: Card): void {
    this.#room.grow(bytesOf(card) - bytesOf(open.card))
    open.card = card
  }

  #lost({ id }: WriterOrder, error: unknown): void {
    const open = this.#open.get(id)
    if (open) open.isBroken = true
    if (isFull(error)) return this.#tell('full', NO_ROOM)
    const what = error instanceof Error ? error.message : String(error)
    this.#tell('unavailable', `Recordings can't be stored: ${what}`)
  }

  #tell(state: StoreStatus['state'], reason?: string): void {
    const { bytes, quota } = this.#room
    this.#onStatus({ state, bytes, quota, ...(reason !== undefined && { reason }) })
  }
}
