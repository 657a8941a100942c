// The store engine: runs all reads and writes on a storage one after the other.
import type { WriterOrder } from './store-messages.ts'
import { newestFirst, Quota, type QuotaOptions } from './quota.ts'
import {
  isFull,
  toRecording,
  type RecordingEntry,
  type RecordingStorage,
  type StoredSegment,
} from './recording-storage.ts'
import { RecordingWriter } from './recording-writer.ts'
import type { StoredRecording, StoreStatus } from './trace-store.ts'
import {
  encodeFile,
  type EndRecord,
  joinTraces,
  MEMBER_TEXT,
  packLines,
  type Part,
  readTrace,
} from '../../../trace/index.ts'

/**
 * Returns the recording as a gzipped file. Segments contain complete steps, so an interrupted segment is
 * valid.
 */
async function toFile(card: RecordingEntry, read: (segment: number) => Promise<string>): Promise<Blob> {
  const { segments } = card
  const [first] = segments
  if (!first) return fileOf([])
  const whole = async (segment: StoredSegment) => `${await read(segment.number)}${endLine(segment)}`
  if (segments.length === 1) return fileOf(await members(await whole(first)))
  let parts: Part[] = []
  for (const segment of segments) {
    const result = await readTrace(await whole(segment))
    // The state after an unreadable segment does not follow from the parts before it.
    if (result.kind === 'unusable') parts = []
    else parts.push({ trace: result.trace, at: segment.at })
  }
  const [begin, ...rest] = parts
  return fileOf(begin ? [await encodeFile(joinTraces([begin, ...rest]))] : [])
}

const fileOf = (bytes: Uint8Array<ArrayBuffer>[]) => new Blob(bytes, { type: 'application/gzip' })

/** Every valid part has an end line with the number of records. */
function endLine({ stimuli, steps }: StoredSegment): string {
  const end: EndRecord = { line: 'end', stimuli, steps }
  return `${JSON.stringify(end)}\n`
}

/** Compresses lines in members that can be opened separately. */
async function members(text: string): Promise<Uint8Array<ArrayBuffer>[]> {
  const packed: Uint8Array<ArrayBuffer>[] = []
  for (let at = 0; at < text.length;) {
    const end = text.indexOf('\n', at + MEMBER_TEXT) + 1 || text.length
    packed.push(await packLines(text.slice(at, end).split('\n').filter(Boolean)))
    at = end
  }
  return packed
}

export interface StoreEngineOptions extends QuotaOptions {
  readonly onStatus: (status: StoreStatus) => void
}

const NO_ROOM = 'No space left for the recording. It continues when space is available.'

/** One instance per storage location and writer. */
export class StoreEngine {
  readonly #storage: RecordingStorage
  readonly #room: Quota
  readonly #shelving: RecordingWriter
  readonly #onStatus: (status: StoreStatus) => void
  #turn: Promise<unknown> = Promise.resolve()

  constructor({ onStatus, ...options }: StoreEngineOptions) {
    this.#storage = options.storage
    this.#room = new Quota(options)
    this.#shelving = new RecordingWriter(options.storage, this.#room)
    this.#onStatus = onStatus
  }

  /** Newest first. */
  list(): Promise<StoredRecording[]> {
    return this.#queue(async () => {
      const held = await this.#storage.held()
      return (await this.#cards()).sort(newestFirst).map(card => toRecording(card, held))
    })
  }

  /** Returns a gzipped trace file. */
  open(id: string): Promise<Blob | undefined> {
    return this.#queue(async () => {
      const card = await this.#find(id)
      return card && toFile(card, segment => this.#storage.read(id, segment))
    })
  }

  delete(id: string): Promise<void> {
    return this.#queue(async () => {
      await this.#storage.remove(id)
      this.#shelving.drop(id)
      await this.#room.tidy(true)
    })
  }

  keep(id: string, kept: boolean): Promise<void> {
    return this.#change(id, { kept })
  }

  rename(id: string, name: string): Promise<void> {
    return this.#change(id, { name })
  }

  /** Never rejects; failures are reported in the status. */
  write(orders: readonly WriterOrder[]): Promise<void> {
    return this.#queue(async () => {
      for (const order of orders) await this.#obey(order)
    })
  }

  async close(): Promise<void> {
    await this.write(this.#shelving.ids().map(id => ({ kind: 'end', id })))
    this.#storage.close()
  }

  #change(id: string, changes: Partial<Pick<RecordingEntry, 'kept' | 'name'>>): Promise<void> {
    return this.#queue(async () => {
      const card = await this.#find(id)
      if (!card) return
      const changed = { ...card, ...changes }
      await this.#storage.put(changed)
      this.#shelving.change(changed)
    })
  }

  #queue<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work)
    this.#turn = result.catch(() => undefined)
    return result
  }

  /** A recording that is being written may be newer than its stored card. */
  async #cards(): Promise<RecordingEntry[]> {
    const open = new Map(this.#shelving.cards().map(card => [card.id, card]))
    return (await this.#storage.cards()).map(card => open.get(card.id) ?? card)
  }

  async #find(id: string): Promise<RecordingEntry | undefined> {
    return (await this.#cards()).find(card => card.id === id)
  }

  async #obey(order: WriterOrder): Promise<void> {
    const isWritten = this.#shelving.ids().includes(order.id)
    try {
      await this.#shelving.obey(order)
      if (!isWritten) return
      if (order.kind === 'append' && !this.#shelving.isBroken(order.id)) this.#notify('writing')
      if (order.kind === 'end' && this.#shelving.ids().length === 0) this.#notify('idle')
    } catch (error) {
      this.#shelving.lost(order)
      if (isFull(error)) return this.#notify('full', NO_ROOM)
      const what = error instanceof Error ? error.message : String(error)
      this.#notify('unavailable', `Recordings can't be stored: ${what}`)
    }
  }

  #notify(state: StoreStatus['state'], reason?: string): void {
    const { bytes, quota } = this.#room
    this.#onStatus({ state, bytes, quota, ...(reason !== undefined && { reason }) })
  }
}
