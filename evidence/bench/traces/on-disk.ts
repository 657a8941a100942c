// A trace file as a source that is read in parts.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import type { ByteSource } from '../../../src/trace/read/unpack.ts'

/**
 * Opens a file on disk that is read in parts. Synchronously: a seek reads some kilobytes, and with two cores a
 * thread of Node's pool can wait longer for the garbage collector's than the reading takes.
 */
export function onDisk(path: string): ByteSource & { close(): void } {
  const file = openSync(path, 'r')
  return {
    size: fstatSync(file).size,
    read(from, to) {
      const bytes = new Uint8Array(to - from)
      readSync(file, bytes, 0, bytes.length, from)
      return Promise.resolve(bytes)
    },
    close: () => closeSync(file),
  }
}
