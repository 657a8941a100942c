// Where tests create temporary files: in memory if the system offers enough of it.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
const NAME = 'chartroom-tests-'
/** Eight times what a run uses at most. */
const ENOUGH_BYTES = 2e9

/**
 * Returns a folder in memory, which is removed on exit. Tests create a hundred thousand files, each of which takes
 * up to fifty times as long on a disk. Undefined if there is little memory, or programs may not be run from it.
 */
export function temporaryInMemory(memory = MEMORY, enough = ENOUGH_BYTES): string | undefined {
  const folder = join(memory, `${NAME}${process.pid}`)
  try {
    const { bavail, bsize } = statfsSync(memory)
    if (bavail * bsize < enough) return undefined
    removeAbandoned(memory)
    mkdirSync(folder)
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    // A PostgreSQL server may run as another user.
    chmodSync(folder, 0o711)
    const program = join(folder, 'program')
    writeFileSync(program, '#!/bin/sh\nexit 7\n', { mode: 0o755 })
    return spawnSync(program).status === 7 ? folder : undefined
  } catch {
    return undefined
  }
}

/** Those of runs that were killed; otherwise they would take memory until the next start of the system. */
function removeAbandoned(memory: string): void {
  for (const name of readdirSync(memory).filter(one => one.startsWith(NAME))) {
    try {
      process.kill(Number(name.slice(NAME.length)), 0)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') continue
      rmSync(join(memory, name), { recursive: true, force: true })
    }
  }
}
