// Import in two steps: all of it is written beside the old, then it takes its place, even if a kill comes between.
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Piece } from './tar.ts'

const SECRETS = 'secrets.json'
/** What an import replaces; keys only where the archive has some. */
export const PARTS = ['database', 'objects'] as const

const WRITING = 'import.partial'
/** A folder of this name is whole, and from then on the import has happened. */
const WRITTEN = 'import.ready'

/** Writes an archive beside what a directory holds, so that a full disk loses nothing, and puts it in place. */
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

/** Goes on with an import that a kill has cut short; one that wasn't whole yet is forgotten. */
export function finishImport(root: string): void {
  rmSync(join(root, WRITING), { recursive: true, force: true })
  const written = join(root, WRITTEN)
  for (const name of [...PARTS, SECRETS].filter(part => existsSync(join(written, part)))) {
    rmSync(join(root, name), { recursive: true, force: true })
    renameSync(join(written, name), join(root, name))
  }
  rmSync(written, { recursive: true, force: true })
}
