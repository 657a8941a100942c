// Writes the messages of recording writers to the storage, in order, and frees space for them.
import type { WriterOrder } from './store-messages.ts'
import type { Quota } from './quota.ts'
import { redactStored } from './redact-stored.ts'
import {
  bytesOf,
  isFull,
  withLast,
  type RecordingEntry,
  type RecordingStorage,
  type StoredSegment,
} from './recording-storage.ts'

type Order<Kind> = Extract<WriterOrder, { readonly kind: Kind }>

/** A recording that is being written. */
interface Open {
  card: RecordingEntry
  readonly release: () => void
  /** A write failed, so the rest of this segment cannot be stored either. */
  isBroken: boolean
}

const totalsOf = ({ stimuli, steps, failures }: Pick<StoredSegment, 'stimuli' | 'steps' | 'failures'>) => ({
  stimuli,
  steps,
  failures,
})

/** The recordings that are being written to one storage. */
export class RecordingWriter {
  readonly #storage: RecordingStorage
  readonly #room: Quota
  /** By the id that their writers use. */
  readonly #open = new Map<string, Open>()
  /** Ended recordings whose final card could not be written for lack of space. */
  #unclosed: Pick<Open, 'card' | 'release'>[] = []

  constructor(storage: RecordingStorage, quota: Quota) {
    this.#storage = storage
    this.#room = quota
  }

  /** Writer ids of the recordings that are being written. */
  ids(): readonly string[] {
    return [...this.#open.keys()]
  }

  /** Current cards of the recordings that are being written. */
  cards(): readonly RecordingEntry[] {
    return [...this.#open.values()].map(({ card }) => card)
  }

  /** Whether a part of the current segment is missing. */
  isBroken(id: string): boolean {
    return this.#open.get(id)?.isBroken === true
  }

  /** Replaces the card of a recording that is being written. */
  change(card: RecordingEntry): void {
    const open = this.#find(card.id)
    if (open) open.card = card
  }

  /** The stored part of this recording was deleted; the rest can only be stored as a new one. */
  drop(id: string): void {
    const open = this.#find(id)
    if (open) Object.assign(open, { isBroken: true, card: { ...open.card, segments: [] } })
  }

  /** Executes a message. If this rejects, call `lost`. */
  async obey(order: WriterOrder): Promise<void> {
    if (order.kind === 'begin') return this.#begin(order)
    const open = this.#open.get(order.id)
    if (!open) return
    if (order.kind === 'end') return this.#end(order.id, open)
    if (order.kind === 'hide') return this.#storage.replace(open.card.id, redactStored(order.secrets))
    if (order.kind === 'note') return this.#storage.amend(open.card.id, order.number, order.text)
    return order.kind === 'append' ? this.#append(open, order) : this.#segment(open, order)
  }

  /** Marks a recording as incomplete after a failed write. */
  lost({ id }: WriterOrder): void {
    const open = this.#open.get(id)
    if (open) open.isBroken = true
  }

  #find(id: string): Open | undefined {
    return [...this.#open.values()].find(({ card }) => card.id === id)
  }

  async #begin({ id, system, startedAt, writer }: Order<'begin'>): Promise<void> {
    const card: RecordingEntry = {
      id,
      system,
      startedAt,
      writer,
      name: '',
      user: undefined,
      kept: false,
      closed: false,
      shortened: false,
      duration: 0,
      segments: [],
    }
    this.#open.set(id, { card, release: await this.#storage.hold(id), isBroken: false })
    await this.#room.tidy(true)
  }

  async #segment(open: Open, { number, at, isRestorable, startedAt }: Order<'segment'>): Promise<void> {
    await this.#pack(open)
    // There is a gap between the earlier segments and this one, so this one begins a separate recording.
    if (open.isBroken) await this.#breakOff(open, number, startedAt)
    const segment: StoredSegment = { number, at, isRestorable, stimuli: 0, steps: 0, failures: 0, bytes: 0 }
    open.card = { ...open.card, segments: [...open.card.segments, segment] }
  }

  async #breakOff(open: Open, number: number, startedAt: string): Promise<void> {
    const { card, release } = open
    const id = `${card.id}-${number}`
    const next = { ...card, id, startedAt, closed: false, shortened: true, duration: 0, segments: [] }
    Object.assign(open, { card: next, release: await this.#storage.hold(id), isBroken: false })
    await this.#settle({ card, release })
  }

  /** Marks an ended recording as closed. */
  async #settle(over: Pick<Open, 'card' | 'release'>): Promise<void> {
    try {
      await this.#close(over.card)
    } catch (error) {
      // If it were released now, its writer would seem to have crashed.
      if (isFull(error)) return void this.#unclosed.push(over)
      over.release()
      throw error
    }
    over.release()
  }

  async #append(open: Open, { text, until, user, ...totals }: Order<'append'>): Promise<void> {
    if (open.isBroken) return
    await this.#room.tidy()
    const beyond = this.#room.beyond(text.length)
    if (beyond > 0) await this.#makeRoom(open, beyond)
    const put = () =>
      this.#storage.append(withLast({ ...open.card, duration: until, user }, totalsOf(totals)), text)
    const card = await put().catch(async (error: unknown) => {
      if (!isFull(error) || !(await this.#makeRoom(open, text.length))) throw error
      return put()
    })
    this.#changed(open, card)
  }

  /** Removes the least important data: old recordings first, then the beginning of the one being written. */
  async #makeRoom(open: Open, bytes: number): Promise<boolean> {
    const before = this.#room.bytes
    const isEnough = () => before - this.#room.bytes >= bytes
    const unclosed = this.#letGo()
    while (!isEnough() && (await this.#room.free())) continue
    while (!isEnough() && (await this.#shorten(open))) continue
    const left = new Set((await this.#storage.cards()).map(({ id }) => id))
    for (const { card } of unclosed) {
      if (left.has(card.id)) await this.#settle({ card, release: await this.#storage.hold(card.id) })
    }
    return this.#room.bytes < before
  }

  async #shorten(open: Open): Promise<boolean> {
    const { segments, id } = open.card
    const from = segments.findIndex(({ isRestorable }, at) => at > 0 && isRestorable)
    if (from < 0) return false
    for (const { number } of segments.slice(0, from)) await this.#storage.removeSegment(id, number)
    this.#changed(open, { ...open.card, shortened: true, segments: segments.slice(from) })
    await this.#storage.put(open.card)
    return true
  }

  async #pack(open: Open): Promise<void> {
    if (open.card.segments.length > 0) this.#changed(open, await this.#storage.pack(open.card))
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

  /** Lets ended recordings be removed like any other. */
  #letGo(): readonly Pick<Open, 'card'>[] {
    const unclosed = this.#unclosed
    this.#unclosed = []
    for (const { release } of unclosed) release()
    return unclosed
  }

  async #close(card: RecordingEntry): Promise<void> {
    if (card.segments.length === 0) await this.#storage.remove(card.id)
    else await this.#storage.put({ ...card, closed: true })
  }

  #changed(open: Open, card: RecordingEntry): void {
    this.#room.grow(bytesOf(card) - bytesOf(open.card))
    open.card = card
  }
}
