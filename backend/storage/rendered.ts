// Rendered images by version and options: on disk next to the data, or in memory; the least recently used are
// dropped.
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Blobs } from './blobs.ts'

export interface RenderedImages {
  get(version: string, options: string): Promise<Uint8Array | undefined>
  put(version: string, options: string, bytes: Uint8Array): Promise<void>
  /** Removes what was rendered of these files. */
  remove(versions: readonly string[]): Promise<void>
}

/** Where the bytes are. */
interface Store {
  /** Names and sizes, the least recently used first. */
  list(): Promise<Iterable<readonly [name: string, size: number]>>
  read(name: string): Promise<Uint8Array | undefined>
  write(name: string, bytes: Uint8Array): Promise<void>
  remove(name: string): Promise<void>
}

const MEGABYTE = 1024 ** 2
const MOST_ON_DISK = 256 * MEGABYTE
const MOST_IN_MEMORY = 32 * MEGABYTE

/** @param folder created when something is rendered; without one, images are in memory */
export function createRenderedImages(
  folder: string | undefined,
  maxBytes = folder === undefined ? MOST_IN_MEMORY : MOST_ON_DISK,
): RenderedImages {
  const store = folder === undefined ? createMemoryStore() : createDiskStore(folder)
  let listed: Promise<Map<string, number>> | undefined
  const sizes = () => (listed ??= store.list().then(entries => new Map(entries)))
  const drop = async (sizesByName: Map<string, number>, name: string) => {
    sizesByName.delete(name)
    await store.remove(name)
  }
  return {
    async get(version, options) {
      const name = nameOf(version, options)
      const sizesByName = await sizes()
      const size = sizesByName.get(name)
      if (size === undefined) return undefined
      // Used now, so it is dropped last.
      sizesByName.delete(name)
      sizesByName.set(name, size)
      return store.read(name)
    },
    async put(version, options, bytes) {
      if (bytes.byteLength > maxBytes) return
      const name = nameOf(version, options)
      const sizesByName = await sizes()
      await store.write(name, bytes)
      sizesByName.delete(name)
      sizesByName.set(name, bytes.byteLength)
      let total = [...sizesByName.values()].reduce((sum, size) => sum + size, 0)
      for (const [oldest, size] of sizesByName) {
        if (total <= maxBytes) break
        total -= size
        await drop(sizesByName, oldest)
      }
    },
    async remove(versions) {
      const sizesByName = await sizes()
      const removedVersions = new Set(versions)
      for (const name of sizesByName.keys())
        if (removedVersions.has(versionOf(name))) await drop(sizesByName, name)
    },
  }
}

/** The same blobs; what was rendered of a blob is removed with it. */
export function withRendered(blobs: Blobs, rendered: RenderedImages): Blobs {
  return {
    ...blobs,
    async remove(versions) {
      await blobs.remove(versions)
      await rendered.remove(versions)
    },
  }
}

const nameOf = (version: string, options: string) => `${version}~${options.replaceAll(/[^\w,]/g, '-')}`
const versionOf = (name: string) => name.slice(0, name.indexOf('~'))

function createMemoryStore(): Store {
  const images = new Map<string, Uint8Array>()
  return {
    list: async () => [],
    read: async name => images.get(name),
    write: async (name, bytes) => void images.set(name, bytes),
    remove: async name => void images.delete(name),
  }
}

const PARTIAL = '.partial'

function createDiskStore(folder: string): Store {
  return {
    async list() {
      const names = await readdir(folder).catch(() => [])
      const files = await Promise.all(
        names.map(async name => ({ name, ...(await statOf(join(folder, name))) })),
      )
      // Left by a process that was killed.
      for (const { name } of files.filter(({ name }) => name.endsWith(PARTIAL)))
        await rm(join(folder, name), { force: true })
      return files
        .filter(({ name }) => name.includes('~') && !name.endsWith(PARTIAL))
        .sort((a, b) => a.modified - b.modified)
        .map(({ name, size }) => [name, size] as const)
    },
    read: name => readFile(join(folder, name)).catch(() => undefined),
    async write(name, bytes) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const path = join(folder, name)
      await writeFile(path + PARTIAL, bytes, { mode: 0o600 })
      await rename(path + PARTIAL, path)
    },
    remove: name => rm(join(folder, name), { force: true }),
  }
}

async function statOf(path: string): Promise<{ readonly size: number; readonly modified: number }> {
  const stats = await stat(path).catch(() => undefined)
  return { size: stats?.size ?? 0, modified: stats?.mtimeMs ?? 0 }
}
