// IndexedDB storage: chunks of lines and the cards of their recordings, written in one transaction.
import { openDB, type DBSchema, type IDBPDatabase } from 'idb'
import { isFull, lastOf, withLast, type RecordingEntry, type RecordingStorage } from './recording-storage.ts'

type ChunkKey = [id: string, segment: number, n: number]

interface Schema extends DBSchema {
  cards: { key: string; value: RecordingEntry }
  /** Plain text, or a gzipped block of text. */
  chunks: { key: ChunkKey; value: string | Uint8Array<ArrayBuffer> }
}

/** Characters of text that are compressed into one block. Until then, chunks are stored separately. */
const BLOCK = 2 ** 17

/** The chunks of a segment that are not compressed yet. */
interface Loose {
  readonly from: number
  readonly texts: string[]
  size: number
}

/** Name of the lock that shows that a recording's writer is alive. */
const lockName = (database: string, id: string) => `${database}.${id}`

/** Opens the database. @throws the browser's error if there is no database, as in some private windows */
export async function createIdbStorage(database: string): Promise<RecordingStorage> {
  let opened: Promise<IDBPDatabase<Schema>> | undefined
  const open = () =>
    (opened ??= openDB<Schema>(database, 1, {
      upgrade(db) {
        db.createObjectStore('cards', { keyPath: 'id' })
        db.createObjectStore('chunks')
      },
      // Another page deletes the database, or a newer version of this code upgrades it.
      blocking: (_current, _wanted, event) => {
        opened = undefined
        ;(event.target as IDBDatabase).close()
      },
      terminated: () => void (opened = undefined),
    }))
  const loose = new Map<string, Loose>()
  const keyOf = (card: RecordingEntry) => `${card.id} ${lastOf(card).number}`

  /** Compresses the loose chunks into one block. */
  const pack = async (card: RecordingEntry): Promise<RecordingEntry> => {
    const pending = loose.get(keyOf(card))
    if (!pending || pending.texts.length === 0) return card
    const { from, texts, size } = pending
    const block = await gzip(texts.join(''))
    const { id } = card
    const { number, bytes } = lastOf(card)
    const smaller = withLast(card, { bytes: bytes - size + block.length })
    const tx = (await open()).transaction(['cards', 'chunks'], 'readwrite')
    const chunks = tx.objectStore('chunks')
    const next = from + texts.length
    loose.set(keyOf(card), { from: next, texts: [], size: 0 })
    try {
      await Promise.all([
        chunks.delete(IDBKeyRange.bound([id, number, from], [id, number, next], false, true)),
        chunks.put(block, [id, number, from]),
        tx.objectStore('cards').put(smaller),
        tx.done,
      ])
      return smaller
    } catch (error) {
      // Replacing chunks temporarily needs more space. If there is none, the chunks stay uncompressed.
      if (isFull(error)) return card
      throw error
    }
  }
  await open()
  return {
    pack: async card => {
      const packed = await pack(card)
      loose.delete(keyOf(card))
      return packed
    },
    cards: async () => (await open()).getAll('cards'),
    put: async card => void (await (await open()).put('cards', card)),
    async append(card, text) {
      const pending = loose.get(keyOf(card)) ?? { from: 0, texts: [], size: 0 }
      loose.set(keyOf(card), pending)
      const { number, bytes } = lastOf(card)
      const grown = withLast(card, { bytes: bytes + text.length })
      const tx = (await open()).transaction(['cards', 'chunks'], 'readwrite')
      const written = Promise.all([
        tx.objectStore('chunks').put(text, [card.id, number, pending.from + pending.texts.length]),
        tx.objectStore('cards').put(grown),
        tx.done,
      ])
      await written
      pending.texts.push(text)
      pending.size += text.length
      return pending.size < BLOCK ? grown : pack(grown)
    },
    async read(id, segment) {
      const parts = await (await open()).getAll('chunks', segmentRange(id, segment))
      return (await Promise.all(parts.map(async part => textOf(part)))).join('')
    },
    async amend(id, segment, text) {
      const db = await open()
      const last = (await db.getAllKeys('chunks', segmentRange(id, segment))).at(-1)
      if (last) await db.put('chunks', text, [id, segment, last[2] + 1])
    },
    async replace(id, edit) {
      const db = await open()
      for (const key of await db.getAllKeys('chunks', recordingRange(id))) {
        const chunk = await db.get('chunks', key)
        if (chunk === undefined) continue
        const before = await textOf(chunk)
        const after = edit(before)
        if (after !== before)
          await db.put('chunks', typeof chunk === 'string' ? after : await gzip(after), key)
      }
      for (const { texts } of loose.values()) texts.forEach((text, at) => void (texts[at] = edit(text)))
    },
    removeSegment: async (id, segment) => (await open()).delete('chunks', segmentRange(id, segment)),
    async remove(id) {
      const tx = (await open()).transaction(['cards', 'chunks'], 'readwrite')
      void tx.objectStore('chunks').delete(recordingRange(id))
      void tx.objectStore('cards').delete(id)
      await tx.done
    },
    hold: id => holdLock(lockName(database, id)),
    held: async () => heldLocks(lockName(database, '')),
    quota: async () => (await navigator.storage?.estimate())?.quota,
    close: () => void opened?.then(db => db.close()),
  }
}

const segmentRange = (id: string, segment: number) =>
  IDBKeyRange.bound([id, segment, 0], [id, segment, Number.POSITIVE_INFINITY])

const recordingRange = (id: string) =>
  IDBKeyRange.bound([id, 0, 0], [id, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY])

const textOf = (chunk: string | Uint8Array<ArrayBuffer>): string | Promise<string> =>
  typeof chunk === 'string' ? chunk : gunzip(chunk)

/**
 * Resolves with a function that releases the lock. The browser also releases it when the page is gone for any
 * reason.
 */
function holdLock(name: string): Promise<() => void> {
  return new Promise(resolve => {
    const free = () => resolve(() => undefined)
    const { locks } = navigator as { readonly locks?: LockManager }
    if (!locks) return free()
    locks.request(name, () => new Promise<void>(release => resolve(() => release()))).catch(free)
  })
}

async function heldLocks(prefix: string): Promise<ReadonlySet<string>> {
  const { locks } = navigator as { readonly locks?: LockManager }
  const { held = [] } = (await locks?.query()) ?? {}
  return new Set(held.flatMap(({ name }) => (name?.startsWith(prefix) ? [name.slice(prefix.length)] : [])))
}

/** Compresses text to one gzip member. */
async function gzip(text: string): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

/** Decompresses one gzip member to text. */
function gunzip(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).text()
}
