// Resets a data directory; its keys are kept, so that apps that use them continue to work.
import { existsSync, renameSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { openDataDirectory, renderedFolder } from '../shared/data-directory.ts'

/** @throws DirectoryInUseError if a running backend uses it */
export function resetDataDirectory(dir: string): void {
  if (!existsSync(resolve(dir))) return
  const { path, database, objects, release } = openDataDirectory(dir)
  try {
    const gone = `${database}.partial`
    rmSync(gone, { recursive: true, force: true })
    // Renamed first: after a kill, the next start would open a half-deleted database under the original name.
    if (existsSync(database)) renameSync(database, gone)
    for (const folder of [gone, objects, renderedFolder(path), `${database}.unfinished`]) {
      rmSync(folder, { recursive: true, force: true })
    }
  } finally {
    release()
  }
}
