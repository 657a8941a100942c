// A trace file as a source that is read in parts.
import { open } from 'node:fs/promises'
import type { ByteSource } from '../../src/trace/read/unpack.ts'

/** Opens a file on disk that is read in parts. */
export async function onDisk(path: string): Promise<ByteSource & { close(): Promise<void> }> {
  const handle = await open(path)
  const { size } = await handle.stat()
  return {
    size,
    async read(from, to) {
      const bytes = new Uint8Array(to - from)
      await handle.read(bytes, 0, bytes.length, from)
      return bytes
    },
    close: () => handle.close(),
  }
}
