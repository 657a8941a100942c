// A recording storage in memory, with the size that a test sets.
import {
  lastOf,
  withLast,
  type RecordingEntry,
  type RecordingStorage,
} from '../../src/services/recording/store/recording-storage.ts'

export interface MemoryStorage extends RecordingStorage {
  /** Bytes that fit. */
  room: number
  /** Recordings that another process writes. */
  readonly others: Set<string>
  readonly texts: Map<string, string>
  /** Makes every call fail. */
  broken: boolean
}

export function createMemoryStorage(room = Number.POSITIVE_INFINITY): MemoryStorage {
  const cards = new Map<string, RecordingEntry>()
  const texts = new Map<string, string>()
  const held = new Set<string>()
  const used = () => [...texts.values()].reduce((sum, text) => sum + text.length, 0)
  const check = () => {
    if (storage.broken) throw new Error('the shelf fell down')
  }
  const storage: MemoryStorage = {
    room,
    texts,
    others: new Set(),
    broken: false,
    cards: () => Promise.resolve([...cards.values()]),
    put: card => Promise.resolve(void cards.set(card.id, card)),
    // Async, so that errors become rejections.
    async append(card, text) {
      check()
      if (used() + text.length > storage.room) throw new DOMException('no room', 'QuotaExceededError')
      const key = `${card.id} ${lastOf(card).number}`
      texts.set(key, (texts.get(key) ?? '') + text)
      const grown = withLast(card, { bytes: texts.get(key)?.length ?? 0 })
      cards.set(card.id, grown)
      return Promise.resolve(grown)
    },
    pack: card => Promise.resolve(card),
    read: (id, segment) => Promise.resolve(texts.get(`${id} ${segment}`) ?? ''),
    amend(id, segment, text) {
      const key = `${id} ${segment}`
      if (texts.has(key)) texts.set(key, (texts.get(key) ?? '') + text)
      return Promise.resolve()
    },
    replace(id, edit) {
      for (const [key, text] of texts) if (key.startsWith(`${id} `)) texts.set(key, edit(text))
      return Promise.resolve()
    },
    removeSegment: (id, segment) => Promise.resolve(void texts.delete(`${id} ${segment}`)),
    remove(id) {
      cards.delete(id)
      for (const key of texts.keys()) if (key.startsWith(`${id} `)) texts.delete(key)
      return Promise.resolve()
    },
    hold(id) {
      held.add(id)
      return Promise.resolve(() => void held.delete(id))
    },
    held: () => Promise.resolve(new Set([...held, ...storage.others])),
    quota: () => Promise.resolve(Number.isFinite(storage.room) ? storage.room : undefined),
    close: () => undefined,
  }
  return storage
}
