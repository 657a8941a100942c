// Builds the packages and packs them into tarballs, as a release does.
import { rename } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { lastLine, runIn } from './matrix/installers.ts'
import { buildBackendPackage } from './package-backend.ts'
import { buildPackages } from './package-build.ts'
import { folderOf, PACKAGE_NAMES } from './package-names.ts'

/** Packed packages by name. */
export type Tarballs = Readonly<Record<string, string>>

const BACKEND = '@chartroom/backend'
const ALL: readonly string[] = [...PACKAGE_NAMES, BACKEND, 'create-chartroom']

/** Each package's packed file in a folder. It has no version in its name, so that manifests can name it. */
export const tarballsIn = (folder: string, names = ALL): Tarballs =>
  Object.fromEntries(names.map(name => [name, resolve(folder, `${folderOf(name)}.tgz`)]))

/** Builds packages into folders of `out`, and packs them there. */
export async function buildAndPack(out: string, names = ALL): Promise<Tarballs> {
  await buildPackages(out)
  if (names.includes(BACKEND)) await buildBackendPackage(join(out, folderOf(BACKEND)))
  return packBuilt(out, names)
}

/**
 * Packs packages that are built in folders of `out`.
 * @throws Error with npm's output if one cannot be packed
 */
export async function packBuilt(out: string, names?: readonly string[]): Promise<Tarballs> {
  const tarballs = tarballsIn(out, names)
  for (const [name, tarball] of Object.entries(tarballs)) {
    const args = ['pack', '--silent', '--pack-destination', resolve(out)]
    const { code, text } = await runIn(join(out, folderOf(name)), 'npm', args)
    if (code !== 0) throw new Error(`npm pack failed for ${name}: ${lastLine(text)}`)
    await rename(join(out, text.trim()), tarball)
  }
  return tarballs
}

/** A manifest's dependencies on the packed packages. */
export const fileDependencies = (tarballs: Tarballs): Record<string, string> =>
  Object.fromEntries(Object.entries(tarballs).map(([name, file]) => [name, `file:${file}`]))
