// Builds a package and packs it into a tarball, as a release does.
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { lastLine, runIn } from './matrix/installers.ts'

/**
 * Builds a package with `build` and packs it into `folder`.
 * @returns the path of the tarball
 * @throws Error with npm's output if it cannot be packed
 */
export async function pack(build: (out: string) => Promise<void>, folder: string): Promise<string> {
  const out = await mkdtemp(join(folder, 'package-'))
  await build(out)
  return packFolder(out, folder)
}

/**
 * Packs a package that is built into `folder`.
 * @returns the path of the tarball
 * @throws Error with npm's output if it cannot be packed
 */
export async function packFolder(built: string, folder: string): Promise<string> {
  const { code, text } = await runIn(built, 'npm', ['pack', '--silent', '--pack-destination', folder])
  if (code !== 0) throw new Error(`npm pack failed: ${lastLine(text)}`)
  return join(folder, text.trim())
}
