// File system storage: one folder per recording, with a metadata card and one file of lines per segment.
import {
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  statfs,
  truncate,
  writeFile,
  type FileHandle,
} from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import {
  lastOf,
  withLast,
  type RecordingEntry,
  type RecordingStorage,
  type StoredSegment,
} from './recording-storage.ts'

/** When to flush writes to disk. Even with `never`, a crash of the process alone loses nothing more. */
export type Sync = 'chunk' | 'segment' | 'never'

const CARD = 'card.json'
const LOCK = 'writer'

const [pack, unpack] = [promisify(gzip), promisify(gunzip)]

/** Creates storage in `dir`. The folder is created on the first write. */
export function createFileStorage(dir: string, sync: Sync): RecordingStorage {
  const files = new Map<string, FileHandle>()
  const place = (id: string, ...rest: string[]) => join(dir, id, ...rest)
  const plain = (id: string, segment: number) => place(id, `${segment}.trace`)
  const put = (card: RecordingEntry) =>
    writeWhole(place(card.id, CARD), JSON.stringify(card), sync === 'chunk')
  const fileOf = async ({ id }: RecordingEntry, { number }: StoredSegment) => {
    const path = plain(id, number)
    const known = files.get(path)
    if (known) return known
    await mkdir(place(id), { recursive: true })
    const file = await open(path, 'a')
    files.set(path, file)
    return file
  }
  const closeFile = async (path: string) => {
    await files.get(path)?.close()
    files.delete(path)
  }
  const held = async () => {
    const ids = await readdir(dir).catch(() => [])
    const alive = await Promise.all(ids.map(async id => isAlive(await readText(place(id, LOCK)))))
    return new Set(ids.filter((_, at) => alive[at]))
  }
  const read = async (id: string, segment: number): Promise<string> => {
    const packed = await readFile(`${plain(id, segment)}.gz`).catch(() => undefined)
    const bytes = packed ? await unpack(packed) : await readFile(plain(id, segment))
    return soundChunks(bytes).toString('utf8')
  }
  return {
    put,
    held,
    read,
    async cards() {
      const ids = await readdir(dir).catch(() => [])
      const alive = await held()
      const cards = await Promise.all(
        ids.map(async id => {
          const card = toCard(await readText(place(id, CARD)))
          return card?.id === id ? (alive.has(id) ? card : recover(card)) : undefined
        }),
      )
      return cards.filter(card => card !== undefined)
    },
    async append(card, text) {
      const last = lastOf(card)
      const file = await fileOf(card, last)
      const bytes = Buffer.from(chunkOf(text))
      const { size } = await file.stat()
      const grown = withLast(card, { bytes: size + bytes.length })
      try {
        if (size === 0) await put(card)
        await file.appendFile(bytes)
        if (sync === 'chunk') await file.datasync()
        await put(grown)
        return grown
      } catch (error) {
        // A partially written chunk would make the following lines unreadable.
        await truncate(plain(card.id, last.number), size).catch(() => undefined)
        throw error
      }
    },
    async pack(card) {
      const path = plain(card.id, lastOf(card).number)
      const text = await readFile(path).catch(() => undefined)
      if (!text) return card
      await closeFile(path)
      const packed = await pack(text)
      await writeWhole(`${path}.gz`, packed, sync !== 'never')
      await rm(path)
      const smaller = withLast(card, { bytes: packed.length })
      await put(smaller)
      return smaller
    },
    async amend(id, segment, text) {
      const path = `${plain(id, segment)}.gz`
      const packed = await readFile(path).catch(() => undefined)
      if (!packed) return
      const bytes = Buffer.concat([await unpack(packed), Buffer.from(chunkOf(text))])
      await writeWhole(path, await pack(bytes), sync !== 'never')
    },
    async replace(id, edit) {
      for (const name of await readdir(place(id)).catch(() => [])) {
        if (!/\.trace(?:\.gz)?$/.test(name)) continue
        const bytes = await readFile(place(id, name))
        const isPacked = name.endsWith('.gz')
        const before = (isPacked ? await unpack(bytes) : bytes).toString('utf8')
        const after = edit(before)
        if (after === before) continue
        await closeFile(place(id, name))
        await writeWhole(place(id, name), isPacked ? await pack(after) : after, sync !== 'never')
      }
    },
    async removeSegment(id, segment) {
      await closeFile(plain(id, segment))
      await rm(plain(id, segment), { force: true })
      await rm(`${plain(id, segment)}.gz`, { force: true })
    },
    async remove(id) {
      for (const path of files.keys()) if (path.startsWith(place(id, ''))) await closeFile(path)
      await rm(place(id), { recursive: true, force: true })
    },
    async hold(id) {
      await mkdir(place(id), { recursive: true })
      await writeFile(place(id, LOCK), String(process.pid))
      return () => void rm(place(id, LOCK), { force: true })
    },
    async quota() {
      const { bavail, bsize } = await statfs(dir)
      return bavail * bsize
    },
    close() {
      for (const file of files.values()) void file.close()
      files.clear()
    },
  }

  /** If the writer crashed, the card may be older than the lines and the last chunk may be incomplete. */
  async function recover(card: RecordingEntry): Promise<RecordingEntry> {
    const last = card.segments.at(-1)
    const size = last && (await stat(plain(card.id, last.number)).catch(() => undefined))?.size
    if (!last || card.closed || size === undefined || size === last.bytes) return card
    const whole = soundChunks(await readFile(plain(card.id, last.number)))
    await truncate(plain(card.id, last.number), whole.length)
    const [stimuli, steps] = [countLines(whole, 'stimulus'), countLines(whole, 'step')]
    const segments = [...card.segments.slice(0, -1), { ...last, stimuli, steps, bytes: whole.length }]
    const found = { ...card, segments, duration: Math.max(card.duration, last.at + lastTime(whole)) }
    await put(found)
    return found
  }
}

function toCard(text: string): RecordingEntry | undefined {
  try {
    return JSON.parse(text) as RecordingEntry
  } catch {
    return undefined
  }
}

const readText = (path: string) => readFile(path, 'utf8').catch(() => '')

/** Writes atomically: concurrent readers see either the old or the new file. */
async function writeWhole(path: string, content: string | Uint8Array, isSafe: boolean): Promise<void> {
  const file = await open(`${path}.new`, 'w')
  try {
    await file.writeFile(content)
    if (isSafe) await file.datasync()
  } finally {
    await file.close()
  }
  await rename(`${path}.new`, path)
}

function isAlive(pid: string): boolean {
  if (!/^\d+$/.test(pid)) return false
  try {
    return process.kill(Number(pid), 0)
  } catch (error) {
    // The process exists but belongs to another user.
    return (error as { readonly code?: string }).code === 'EPERM'
  }
}

/** Marks the end of a chunk, after the line break of its last line. */
const CHUNK_END = '\n'

/** Formats lines that are appended in one write. */
const chunkOf = (text: string): string => `${text}${CHUNK_END}`

/** Returns the complete chunks. After a power failure, the file may end in zeros. */
function soundChunks(bytes: Buffer): Buffer {
  const zero = bytes.indexOf(0)
  const written = zero < 0 ? bytes : bytes.subarray(0, zero)
  const end = written.lastIndexOf(`\n${CHUNK_END}`)
  return written.subarray(0, end < 0 ? 0 : end + 2)
}

/** Counts the lines of a kind. */
function countLines(text: Buffer, line: string): number {
  let [found, at] = [0, -1]
  const begin = `{"line":"${line}"`
  while ((at = text.indexOf(begin, at + 1)) >= 0) if (at === 0 || text[at - 1] === 0x0a) found += 1
  return found
}

/** Time of the last step in milliseconds. */
function lastTime(text: Buffer): number {
  const line = text.subarray(text.lastIndexOf('\n{"line":"step"') + 1).toString('utf8')
  return Number(/"t":([\d.]+)/.exec(line)?.[1] ?? 0)
}
