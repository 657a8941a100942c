// A disk that is full on command, for one folder of this process: no mount and no privileges needed.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { resolve, sep } from 'node:path'

export interface DiskLimit {
  /** From now on nothing more can be written to the files that match. */
  fill(isFull: (path: string) => boolean): void
  /** There is space again. */
  free(): void
  /** Restores the real file operations. */
  restore(): void
}

const full = (path: string) =>
  Object.assign(new Error(`ENOSPC: no space left on device, write '${path}'`), { code: 'ENOSPC', errno: -28 })

export function limitDisk(folder: string): DiskLimit {
  const root = resolve(folder) + sep
  const paths = new Map<number, string>()
  let isFull: ((path: string) => boolean) | undefined
  const check = (path: unknown) => {
    const text = typeof path === 'number' ? (paths.get(path) ?? '') : String(path)
    if (text.startsWith(root) && isFull?.(text)) throw full(text)
  }
  const real = { ...fs }
  const { writeFile } = fs.promises
  fs.openSync = (path, ...rest) => {
    const fd = real.openSync(path, ...rest)
    paths.set(fd, String(path))
    return fd
  }
  fs.closeSync = fd => {
    paths.delete(fd)
    real.closeSync(fd)
  }
  const writeSync = (...[fd, ...rest]: Parameters<typeof fs.writeSync>) => {
    check(fd)
    return real.writeSync(fd, ...rest)
  }
  fs.writeSync = writeSync as typeof fs.writeSync
  fs.writeFileSync = (file, ...rest) => {
    check(file)
    real.writeFileSync(file, ...rest)
  }
  fs.promises.writeFile = async (file, data, ...rest) => {
    try {
      check(file)
    } catch (error) {
      // Like a disk: a part of the file is written.
      await writeFile(file, Buffer.alloc(1), ...rest)
      throw error
    }
    await writeFile(file, data, ...rest)
  }
  syncBuiltinESMExports()
  return {
    fill: predicate => (isFull = predicate),
    free: () => (isFull = undefined),
    restore() {
      const { openSync, closeSync, writeFileSync } = real
      Object.assign(fs, { openSync, closeSync, writeSync: real.writeSync, writeFileSync })
      fs.promises.writeFile = writeFile
      syncBuiltinESMExports()
    },
  }
}
