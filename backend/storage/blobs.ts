// File contents: one blob per stored version, on disk or in memory.
import { createReadStream, existsSync, readdirSync, rmSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** The format of a version, for PostgreSQL and JavaScript: a UUID, as passed to `put`. */
export const VERSION_PATTERN = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'

const VERSION = new RegExp(VERSION_PATTERN)

/** Bytes that are read once, in order, as fast as they are written. */
export type ByteSource = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/** Contents that are read only as fast as their consumer. */
export interface BlobContent {
  readonly size: number
  /** The bytes from `from` up to but without `to`; all by default. */
  stream(from?: number, to?: number): ReadableStream<Uint8Array>
}

/** Stores bytes by version. A version read from a table may be arbitrary; only generated ones have a blob. */
export interface Blobs {
  /** Maximum total bytes of unfinished blobs. */
  readonly unfinishedBytes: number
  /** Stores a blob; if its bytes fail, nothing of it remains. */
  put(version: string, bytes: ByteSource): Promise<void>
  open(version: string): Promise<BlobContent | undefined>
  /**
   * Appends to an unfinished blob, which `open` does not find before `finish`, and which only survives the
   * process if it was described. A chunk is written before the next is read.
   */
  append(version: string, bytes: ByteSource): Promise<void>
  /** Describes an unfinished blob for the next process. In memory, nothing survives. */
  describe(version: string, description: string): Promise<void>
  /** The described unfinished blobs of earlier processes. */
  described(): Promise<readonly DescribedBlob[]>
  finish(version: string): Promise<void>
  remove(versions: readonly string[]): Promise<void>
}

/** An unfinished blob of an earlier process. */
export interface DescribedBlob {
  readonly version: string
  readonly description: string
  /** The bytes so far. */
  readonly content: BlobContent
}

const GIGABYTE = 1024 ** 3
const CHUNK = 64 * 1024

export function createMemoryBlobs(): Blobs {
  const blobs = new Map<string, Uint8Array>()
  const unfinished = new Map<string, Uint8Array[]>()
  return withPut({
    unfinishedBytes: GIGABYTE,
    async open(version) {
      const bytes = blobs.get(version)
      return (
        bytes && {
          size: bytes.byteLength,
          stream: (from = 0, to = bytes.byteLength) =>
            streamOf(from, async at => bytes.subarray(at, Math.min(at + CHUNK, to))),
        }
      )
    },
    async append(version, bytes) {
      const chunks = unfinished.get(version) ?? []
      unfinished.set(version, chunks)
      for await (const chunk of bytes) chunks.push(chunk)
    },
    async describe() {},
    described: async () => [],
    async finish(version) {
      blobs.set(version, Buffer.concat(unfinished.get(version) ?? []))
      unfinished.delete(version)
    },
    async remove(versions) {
      for (const version of versions) if (!blobs.delete(version)) unfinished.delete(version)
    },
  })
}

/** A blob is stored by appending to an unfinished one, so that no incomplete blob has its final name. */
function withPut(blobs: Omit<Blobs, 'put'>): Blobs {
  return {
    ...blobs,
    async put(version, bytes) {
      try {
        await blobs.append(version, bytes)
        await blobs.finish(version)
      } catch (error) {
        // Frees the space of the incomplete blob, as the disk may be full.
        await blobs.remove([version])
        throw error
      }
    },
  }
}

/** Uses a folder; unfinished blobs of an earlier process are removed unless they are described. */
export function createDiskBlobs(folder: string): Blobs {
  const unfinished = join(folder, 'unfinished')
  removeUndescribed(unfinished)
  const within = (parent: string, version: string) =>
    VERSION.test(version) ? join(parent, version) : undefined
  const pathOf = (version: string) => within(join(folder, version.slice(0, 2)), version)
  const blobPath = (path: string | undefined) => {
    if (path === undefined) throw new Error('A blob name must be a UUID')
    return path
  }
  const makeFolderOf = (path: string) => mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const contentOf = async (path: string): Promise<BlobContent | undefined> => {
    const stats = await stat(path).catch(() => undefined)
    if (!stats?.isFile()) return undefined
    return { size: stats.size, stream: (from = 0, to = stats.size) => streamFile(path, from, to) }
  }
  return withPut({
    unfinishedBytes: 4 * GIGABYTE,
    async open(version) {
      const path = pathOf(version)
      return path === undefined ? undefined : contentOf(path)
    },
    async append(version, bytes) {
      const path = blobPath(within(unfinished, version))
      await makeFolderOf(path)
      await writeFile(path, bytes, { flag: 'a', mode: 0o600 })
    },
    async describe(version, description) {
      const path = blobPath(within(unfinished, version))
      await makeFolderOf(path)
      await writeFile(path + DESCRIPTION, description, { mode: 0o600 })
    },
    async described() {
      const names = await readdir(unfinished).catch(() => [])
      const entries = names.map(async name => {
        const version = name.slice(0, -DESCRIPTION.length)
        if (!name.endsWith(DESCRIPTION) || !VERSION.test(version)) return undefined
        const description = await readFile(join(unfinished, name), 'utf8')
        return { version, description, content: (await contentOf(join(unfinished, version))) ?? NO_BYTES }
      })
      return (await Promise.all(entries)).filter(each => each !== undefined)
    },
    async finish(version) {
      const path = blobPath(pathOf(version))
      await makeFolderOf(path)
      // An empty file has no parts.
      const partial = blobPath(within(unfinished, version))
      await makeFolderOf(partial)
      await writeFile(partial, '', { flag: 'a', mode: 0o600 })
      await rename(partial, path)
      await rm(partial + DESCRIPTION, { force: true })
    },
    async remove(versions) {
      for (const version of versions) {
        const [path, partial] = [pathOf(version), within(unfinished, version)]
        if (path === undefined || partial === undefined) continue
        for (const each of [path, partial, partial + DESCRIPTION]) await rm(each, { force: true })
      }
    },
  })
}

/** The ending of the file that describes an unfinished blob. */
const DESCRIPTION = '.json'

/** Nothing could finish these. */
function removeUndescribed(folder: string): void {
  if (!existsSync(folder)) return
  const names = new Set(readdirSync(folder))
  for (const name of names) {
    const isKept = name.endsWith(DESCRIPTION) || names.has(name + DESCRIPTION)
    if (!isKept) rmSync(join(folder, name), { recursive: true, force: true })
  }
}

const NO_BYTES: BlobContent = { size: 0, stream: () => new Blob([]).stream() }

/** A stream without read-ahead; `read` returns no bytes at the end. */
function streamOf(
  from: number,
  read: (at: number) => Promise<Uint8Array>,
  close: () => Promise<void> = async () => undefined,
): ReadableStream<Uint8Array> {
  let at = from
  return new ReadableStream(
    {
      async pull(controller) {
        const bytes = await read(at).catch(async (error: unknown) => {
          await close()
          throw error
        })
        at += bytes.byteLength
        if (bytes.byteLength > 0) return controller.enqueue(bytes)
        await close()
        controller.close()
      },
      cancel: close,
    },
    { highWaterMark: 0 },
  )
}

function streamFile(path: string, from: number, to: number): ReadableStream<Uint8Array> {
  const opened = open(path)
  return streamOf(
    from,
    async at => {
      const length = Math.min(CHUNK, to - at)
      const { buffer, bytesRead } = await (await opened).read(new Uint8Array(length), 0, length, at)
      return buffer.subarray(0, bytesRead)
    },
    async () => (await opened).close(),
  )
}

/** Copies the blobs of a folder, except partially written files. */
export async function copyBlobs(folder: string, blobs: Blobs): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile() && VERSION.test(entry.name))
      await blobs.put(entry.name, createReadStream(join(entry.parentPath, entry.name)))
  }
}
