// The room on a shelf: how much is used, and which recordings go when there is need or their time is over.
import { bytesOf, type Card, type Shelf } from './shelf.ts'
import type { Retention } from './trace-store.ts'

const DAY = 86_400_000
const RECORDINGS = 20
const BYTES = 200_000_000
const DAYS = 14

/** Bytes that are written between two looks at what others have put there. */
const LOOK_EVERY = 5_000_000

export interface RoomOptions {
  readonly shelf: Shelf
  readonly retention: Retention
  /** Milliseconds of the time of day. */
  readonly now: () => number
}

/** The newest first. */
export const newestFirst = (a: Card, b: Card) =>
  b.startedAt.localeCompare(a.startedAt) || b.id.localeCompare(a.id)

/** The room on one shelf, as one of those who write there sees it. */
export class Room {
  /** Bytes of all recordings, as of the last look and what was written here since. */
  bytes = 0
  /** What they may come to. */
  quota: number
  readonly #options: RoomOptions
  readonly #most: number
  #written = Number.POSITIVE_INFINITY

  constructor(options: RoomOptions) {
    this.#options = options
    this.#most = this.quota = options.retention.bytes ?? BYTES
  }

  /** Takes note that something grew, or became smaller. */
  grow(bytes: number): void {
    this.bytes += bytes
    this.#written += Math.max(0, bytes)
  }

  /** By how much so many bytes more would be too much. */
  beyond(bytes: number): number {
    return this.bytes + bytes - this.#most
  }

  /** Lets go what is beyond the retention, when it is time for that. */
  async tidy(isNow = false): Promise<void> {
    if (!isNow && this.#written < LOOK_EVERY) return
    const { shelf, now, retention } = this.#options
    const { recordings = RECORDINGS, days = DAYS } = retention
    const held = await shelf.held()
    let [count, sum] = [0, 0]
    for (const card of (await shelf.cards()).sort(newestFirst)) {
      const bytes = bytesOf(card)
      const isOld = now() - Date.parse(card.startedAt) > days * DAY
      const isBeyond = isOld || count >= recordings || sum + bytes > this.#most
      if (isBeyond && !card.kept && !held.has(card.id)) {
        await shelf.remove(card.id)
        continue
      }
      count += 1
      sum += bytes
    }
    this.bytes = sum
    this.#written = 0
    this.quota = Math.min(this.#most, (await shelf.quota()) ?? this.#most)
  }

  /** Lets go the oldest recording that nobody keeps or writes; false when there is none. */
  async free(): Promise<boolean> {
    const { shelf } = this.#options
    const held = await shelf.held()
    const cards = (await shelf.cards()).filter(card => !card.kept && !held.has(card.id))
    const oldest = cards.sort(newestFirst).at(-1)
    if (!oldest) return false
    await shelf.remove(oldest.id)
    this.bytes -= bytesOf(oldest)
    return true
  }
}
