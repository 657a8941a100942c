// Detects whether files have changed since something was built from them.
import { createHash } from 'node:crypto'
import { glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { root } from './tool.ts'

/** Hash of the files that match, with their names. */
export async function fingerprint(inputs: readonly string[]): Promise<string> {
  const files: string[] = []
  for await (const entry of glob([...inputs], { cwd: root, withFileTypes: true }))
    if (entry.isFile()) files.push(join(entry.parentPath, entry.name))
  const hash = createHash('sha256')
  for (const file of files.sort()) hash.update(`${file}\0`).update(await readFile(file))
  return hash.digest('hex')
}

/** Remembers, outside of the sources, from which files something was built. */
export class Stamp {
  readonly #path: string

  constructor(name: string) {
    this.#path = join(root, 'node_modules/.cache/chartroom', name)
  }

  async is(print: string): Promise<boolean> {
    return (await readFile(this.#path, 'utf8').catch(() => '')) === print
  }

  async set(print: string): Promise<void> {
    await mkdir(dirname(this.#path), { recursive: true })
    await writeFile(this.#path, print)
  }

  forget(): Promise<void> {
    return rm(this.#path, { force: true })
  }
}
