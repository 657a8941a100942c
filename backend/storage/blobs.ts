// Where file contents lie: one blob per stored version, on disk or in memory.
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Keeps bytes by version, a name made by us and never by a client. */
export interface Blobs {
  put(version: string, bytes: Uint8Array): Promise<void>
  get(version: string): Promise<Uint8Array | undefined>
  remove(versions: readonly string[]): Promise<void>
}

export function createMemoryBlobs(): Blobs {
  const kept = new Map<string, Uint8Array>()
  return {
    put: async (version, bytes) => void kept.set(version, bytes),
    get: async version => kept.get(version),
    remove: async versions => versions.forEach(version => kept.delete(version)),
  }
}

export function createDiskBlobs(folder: string): Blobs {
  const pathOf = (version: string) => join(folder, version.slice(0, 2), version)
  return {
    async put(version, bytes) {
      const path = pathOf(version)
      await mkdir(join(path, '..'), { recursive: true, mode: 0o700 })
      // Written aside and renamed, so that a crash leaves no half file under a good name.
      const partial = `${path}.${randomBytes(4).toString('hex')}`
      await writeFile(partial, bytes, { mode: 0o600 })
      await rename(partial, path)
    },
    get: version => readFile(pathOf(version)).catch(() => undefined),
    async remove(versions) {
      for (const version of versions) await rm(pathOf(version), { force: true })
    },
  }
}

/** Puts what lies in a folder of disk blobs into others. */
export async function copyBlobs(folder: string, blobs: Blobs): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) await blobs.put(entry.name, await readFile(join(entry.parentPath, entry.name)))
  }
}
