// Empties a data directory; its keys stay, so that apps that know them go on.
import { existsSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { openDataDirectory } from '../data-directory.ts'

/** @throws DirectoryInUseError when a running backend holds it */
export function resetDataDirectory(dir: string): void {
  if (!existsSync(resolve(dir))) return
  const { database, objects, release } = openDataDirectory(dir)
  try {
    for (const folder of [database, objects, `${database}.unfinished`, `${database}.partial`]) {
      rmSync(folder, { recursive: true, force: true })
    }
  } finally {
    release()
  }
}
