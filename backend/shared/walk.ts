// Everything below a folder, without following links: Node's own recursive reading follows those to folders.
import { type Dirent, readdirSync } from 'node:fs'
import { join } from 'node:path'

export function* walk(folder: string): Generator<{ readonly path: string; readonly entry: Dirent }> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    yield { path, entry }
    if (entry.isDirectory()) yield* walk(path)
  }
}
