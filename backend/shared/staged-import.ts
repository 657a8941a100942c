// Imports in two steps: writes everything next to the old data, then replaces it, safely even if the process
// is killed.
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A part of a file, in order; the first part of each file is at 0, and is empty for an empty file. */
export interface Piece {
  readonly path: string
  readonly at: number
  readonly bytes: Uint8Array
}

const SECRETS = 'secrets.json'
/** The parts that an import replaces; keys only if the archive has them. */
export const PARTS = ['database', 'objects'] as const

const WRITING = 'import.partial'
/** A folder with this name is complete; from then on the import counts as done. */
const WRITTEN = 'import.ready'

/**
 * Writes an archive next to the existing data, so that a full disk loses nothing, and then moves it into
 * place.
 */
export async function replaceData(
  root: string,
  folders: readonly string[],
  pieces: AsyncIterable<Piece>,
): Promise<void> {
  const partial = join(root, WRITING)
  rmSync(partial, { recursive: true, force: true })
  try {
    for (const folder of [...PARTS, ...folders])
      mkdirSync(join(partial, folder), { recursive: true, mode: 0o700 })
    for await (const { path, at, bytes } of pieces) {
      mkdirSync(dirname(join(partial, path)), { recursive: true, mode: 0o700 })
      writeFileSync(join(partial, path), bytes, { mode: 0o600, flag: at === 0 ? 'w' : 'a' })
    }
    renameSync(partial, join(root, WRITTEN))
  } finally {
    rmSync(partial, { recursive: true, force: true })
  }
  finishImport(root)
}

/** Completes an import that was interrupted by a kill; an incomplete one is discarded. */
export function finishImport(root: string): void {
  rmSync(join(root, WRITING), { recursive: true, force: true })
  const written = join(root, WRITTEN)
  for (const name of [...PARTS, SECRETS].filter(part => existsSync(join(written, part)))) {
    rmSync(join(root, name), { recursive: true, force: true })
    renameSync(join(written, name), join(root, name))
  }
  rmSync(written, { recursive: true, force: true })
}
