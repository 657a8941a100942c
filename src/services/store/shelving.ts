// Shelving: puts what writers send on the shelf, in order, and makes room for it.
import type { WriterOrder } from './orders.ts'
import type { Room } from './room.ts'
import { hiding } from './hiding.ts'
import { bytesOf, isFull, withLast, type Card, type Shelf, type StoredSegment } from './shelf.ts'

type Order<Kind> = Extract<WriterOrder, { readonly kind: Kind }>

/** A recording that is being written. */
interface Open {
  card: Card
  readonly release: () => void
  /** Something is missing: the rest of the segment can't be kept either. */
  isBroken: boolean
}

/** The recordings that are being written to one shelf. */
export class Shelving {
  readonly #shelf: Shelf
  readonly #room: Room
  /** By the id that their writers know. */
  readonly #open = new Map<string, Open>()
  /** Over, though there was no room to say so. */
  #unclosed: Pick<Open, 'card' | 'release'>[] = []

  constructor(shelf: Shelf, room: Room) {
    this.#shelf = shelf
    this.#room = room
  }

  /** Those that are being written, by the id that their writers know. */
  ids(): readonly string[] {
    return [...this.#open.keys()]
  }

  /** Those that are being written, as they are now. */
  cards(): readonly Card[] {
    return [...this.#open.values()].map(({ card }) => card)
  }

  /** Whether something of the present segment is missing. */
  isBroken(id: string): boolean {
    return this.#open.get(id)?.isBroken === true
  }

  /** Takes another card for one that is being written. */
  change(card: Card): void {
    const open = this.#find(card.id)
    if (open) open.card = card
  }

  /** What is being written under this id is no more; what follows can only begin anew. */
  drop(id: string): void {
    const open = this.#find(id)
    if (open) Object.assign(open, { isBroken: true, card: { ...open.card, segments: [] } })
  }

  /** Does as told; when that fails, `lost` is to be called. */
  async obey(order: WriterOrder): Promise<void> {
    if (order.kind === 'begin') return this.#begin(order)
    const open = this.#open.get(order.id)
    if (!open) return
    if (order.kind === 'end') return this.#end(order.id, open)
    if (order.kind === 'hide') return this.#shelf.replace(open.card.id, hiding(order.secrets))
    if (order.kind === 'note') return this.#shelf.amend(open.card.id, order.number, order.text)
    return order.kind === 'append' ? this.#append(open, order) : this.#segment(open, order)
  }

  /** Something that belongs to this recording could not be put there. */
  lost({ id }: WriterOrder): void {
    const open = this.#open.get(id)
    if (open) open.isBroken = true
  }

  #find(id: string): Open | undefined {
    return [...this.#open.values()].find(({ card }) => card.id === id)
  }

  async #begin({ id, system, startedAt, writer }: Order<'begin'>): Promise<void> {
    const card: Card = {
      id,
      system,
      startedAt,
      writer,
      kept: false,
      closed: false,
      shortened: false,
      duration: 0,
      segments: [],
    }
    this.#open.set(id, { card, release: await this.#shelf.hold(id), isBroken: false })
    await this.#room.tidy(true)
  }

  async #segment(open: Open, { number, at, isRestorable, startedAt }: Order<'segment'>): Promise<void> {
    await this.#pack(open)
    // What is missing lies between the segments before and this one, so it begins a recording of its own.
    if (open.isBroken) await this.#breakOff(open, number, startedAt)
    const segment: StoredSegment = { number, at, isRestorable, stimuli: 0, views: 0, bytes: 0 }
    open.card = { ...open.card, segments: [...open.card.segments, segment] }
  }

  async #breakOff(open: Open, number: number, startedAt: string): Promise<void> {
    const { card, release } = open
    const id = `${card.id}-${number}`
    const next = { ...card, id, startedAt, closed: false, shortened: true, duration: 0, segments: [] }
    Object.assign(open, { card: next, release: await this.#shelf.hold(id), isBroken: false })
    await this.#settle({ card, release })
  }

  /** Says of one that is over that it is. */
  async #settle(over: Pick<Open, 'card' | 'release'>): Promise<void> {
    try {
      await this.#close(over.card)
    } catch (error) {
      // Let go now, it would look as if its writer were gone.
      if (isFull(error)) return void this.#unclosed.push(over)
      over.release()
      throw error
    }
    over.release()
  }

  async #append(open: Open, { text, stimuli, views, until }: Order<'append'>): Promise<void> {
    if (open.isBroken) return
    await this.#room.tidy()
    const beyond = this.#room.beyond(text.length)
    if (beyond > 0) await this.#makeRoom(open, beyond)
    const put = () =>
      this.#shelf.append(withLast({ ...open.card, duration: until }, { stimuli, views }), text)
    const card = await put().catch(async (error: unknown) => {
      if (!isFull(error) || !(await this.#makeRoom(open, text.length))) throw error
      return put()
    })
    this.#changed(open, card)
  }

  /** What matters least goes: old recordings, else the beginning of the one that is being written. */
  async #makeRoom(open: Open, bytes: number): Promise<boolean> {
    const before = this.#room.bytes
    const isEnough = () => before - this.#room.bytes >= bytes
    const unclosed = this.#letGo()
    while (!isEnough() && (await this.#room.free())) continue
    while (!isEnough() && (await this.#shorten(open))) continue
    const left = new Set((await this.#shelf.cards()).map(({ id }) => id))
    for (const { card } of unclosed) {
      if (left.has(card.id)) await this.#settle({ card, release: await this.#shelf.hold(card.id) })
    }
    return this.#room.bytes < before
  }

  async #shorten(open: Open): Promise<boolean> {
    const { segments, id } = open.card
    const from = segments.findIndex(({ isRestorable }, at) => at > 0 && isRestorable)
    if (from < 0) return false
    for (const { number } of segments.slice(0, from)) await this.#shelf.removeSegment(id, number)
    this.#changed(open, { ...open.card, shortened: true, segments: segments.slice(from) })
    await this.#shelf.put(open.card)
    return true
  }

  async #pack(open: Open): Promise<void> {
    if (open.card.segments.length > 0) this.#changed(open, await this.#shelf.pack(open.card))
  }

  async #end(id: string, open: Open): Promise<void> {
    this.#open.delete(id)
    try {
      await this.#pack(open)
      await this.#close(open.card)
    } finally {
      open.release()
      this.#letGo()
    }
  }

  /** Those that are over may go as others may. */
  #letGo(): readonly Pick<Open, 'card'>[] {
    const unclosed = this.#unclosed
    this.#unclosed = []
    for (const { release } of unclosed) release()
    return unclosed
  }

  async #close(card: Card): Promise<void> {
    if (card.segments.length === 0) await this.#shelf.remove(card.id)
    else await this.#shelf.put({ ...card, closed: true })
  }

  #changed(open: Open, card: Card): void {
    this.#room.grow(bytesOf(card) - bytesOf(open.card))
    open.card = card
  }
}
