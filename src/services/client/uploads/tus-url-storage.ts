// Stores the URLs of interrupted uploads by file, so that they can resume.
import type { SessionStorage } from '../../runtime/index.ts'

export interface TusUrlStorage {
  get(mark: string): Promise<string | undefined>
  put(mark: string, url: string): Promise<unknown>
  remove(mark: string): Promise<unknown>
}

/** Two different 32-bit hashes, so that keys contain no file names. */
function shortOf(text: string): string {
  let [one, two] = [0x811c9dc5, 0x9e3779b9]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    one = Math.imul(one ^ code, 0x01000193)
    two = Math.imul(two ^ code, 0x85ebca6b) + one
  }
  return `${(one >>> 0).toString(36)}${(two >>> 0).toString(36)}`
}

/** If storage is full or blocked, an upload restarts after a reload instead of resuming. */
export function createTusUrlStorage(storage: SessionStorage, prefix: string): TusUrlStorage {
  const keyOf = (mark: string) => `${prefix}-upload-${shortOf(mark)}`
  const attempt = async <T>(run: () => T | Promise<T>): Promise<T | undefined> => {
    try {
      return await run()
    } catch {
      return undefined
    }
  }
  return {
    get: async mark => (await attempt(() => storage.getItem(keyOf(mark)))) ?? undefined,
    put: (mark, url) => attempt(() => storage.setItem(keyOf(mark), url)),
    remove: mark => attempt(() => storage.removeItem(keyOf(mark))),
  }
}
