// Empties a data directory; its keys stay, so that apps that know them go on.
import { existsSync, renameSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { openDataDirectory } from '../data-directory.ts'

/** @throws DirectoryInUseError when a running backend holds it */
export function resetDataDirectory(dir: string): void {
  if (!existsSync(resolve(dir))) return
  const { database, objects, release } = openDataDirectory(dir)
  try {
    const gone = `${database}.partial`
    rmSync(gone, { recursive: true, force: true })
    // Under its own name a half-deleted database would be opened by the next start, if a kill came between.
    if (existsSync(database)) renameSync(database, gone)
    for (const folder of [gone, objects, `${database}.unfinished`]) {
      rmSync(folder, { recursive: true, force: true })
    }
  } finally {
    release()
  }
}
