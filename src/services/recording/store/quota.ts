// The storage quota: tracks the used bytes and removes recordings that exceed the retention limits.
import { bytesOf, type RecordingEntry, type RecordingStorage } from './recording-storage.ts'
import type { Retention } from './trace-store.ts'

const DAY = 86_400_000
const RECORDINGS = 20
const BYTES = 200_000_000
const DAYS = 14

/** Bytes written between two checks of what other writers have stored. */
const LOOK_EVERY = 5_000_000

export interface QuotaOptions {
  readonly storage: RecordingStorage
  readonly retention: Retention
  /** Returns the wall-clock time in milliseconds. */
  readonly now: () => number
}

/** Compares by age, newest first. */
export const newestFirst = (a: RecordingEntry, b: RecordingEntry) =>
  b.startedAt.localeCompare(a.startedAt) || b.id.localeCompare(a.id)

/** The quota of one storage from the point of view of one of its writers. */
export class Quota {
  /** Bytes of all recordings at the last check, plus what this writer has written since. */
  bytes = 0
  /** Bytes that may be used. */
  quota: number
  readonly #options: QuotaOptions
  readonly #most: number
  #written = Number.POSITIVE_INFINITY

  constructor(options: QuotaOptions) {
    this.#options = options
    this.#most = this.quota = options.retention.bytes ?? BYTES
  }

  /** Records that the used space changed by this many bytes. */
  grow(bytes: number): void {
    this.bytes += bytes
    this.#written += Math.max(0, bytes)
  }

  /** Returns by how much the limit would be exceeded if this many bytes were added. */
  beyond(bytes: number): number {
    return this.bytes + bytes - this.#most
  }

  /** Removes recordings beyond the retention limits if a check is due. */
  async tidy(isNow = false): Promise<void> {
    if (!isNow && this.#written < LOOK_EVERY) return
    const { storage, now, retention } = this.#options
    const { recordings = RECORDINGS, days = DAYS } = retention
    const held = await storage.held()
    let [count, sum] = [0, 0]
    for (const card of (await storage.cards()).sort(newestFirst)) {
      const bytes = bytesOf(card)
      const isOld = now() - Date.parse(card.startedAt) > days * DAY
      const isBeyond = isOld || count >= recordings || sum + bytes > this.#most
      if (isBeyond && !card.kept && !held.has(card.id)) {
        await storage.remove(card.id)
        continue
      }
      count += 1
      sum += bytes
    }
    this.bytes = sum
    this.#written = 0
    this.quota = Math.min(this.#most, (await storage.quota()) ?? this.#most)
  }

  /** Removes the oldest recording that is neither kept nor being written. Returns false if there is none. */
  async free(): Promise<boolean> {
    const { storage } = this.#options
    const held = await storage.held()
    const cards = (await storage.cards()).filter(card => !card.kept && !held.has(card.id))
    const oldest = cards.sort(newestFirst).at(-1)
    if (!oldest) return false
    await storage.remove(oldest.id)
    this.bytes -= bytesOf(oldest)
    return true
  }
}
