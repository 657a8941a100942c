// Resets a data directory; its keys are kept, so that apps that use them continue to work.
import { existsSync, renameSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { type DataDirectory, openDataDirectory, renderedFolder } from '../shared/data-directory.ts'

/** @throws DirectoryInUseError if a running backend uses it */
export function resetDataDirectory(dir: string): void {
  if (!existsSync(resolve(dir))) return
  const directory = openDataDirectory(dir)
  try {
    clearDataDirectory(directory)
  } finally {
    directory.release()
  }
}

/** Deletes database and files of a directory whose lock the caller has; no engine may be open on it. */
export function clearDataDirectory({
  path,
  database,
  objects,
}: Pick<DataDirectory, 'path' | 'database' | 'objects'>): void {
  const partial = `${database}.partial`
  rmSync(partial, { recursive: true, force: true })
  // Renamed first: after a kill, the next start would open a half-deleted database under the original name.
  if (existsSync(database)) renameSync(database, partial)
  for (const folder of [partial, objects, renderedFolder(path), `${database}.unfinished`]) {
    rmSync(folder, { recursive: true, force: true })
  }
}
