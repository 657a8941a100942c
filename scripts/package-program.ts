// How texts of the package start `chartroom`: by the path of the program that a package manager links, where texts
// of the repository run a script of it.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const IN_REPOSITORY = 'npm run -s chartroom --'
const INSTALLED = './node_modules/.bin/chartroom'

/** The text with the command lines of an app that installed the package. */
export const withInstalledProgram = (text: string): string => text.replaceAll(IN_REPOSITORY, INSTALLED)

const MODULE = 'trace/command-line'

/** For the module compiled into `out`, the folder of `src`. */
export async function writeProgram(out: string): Promise<void> {
  const path = join(out, `${MODULE}.js`)
  const text = await readFile(path, 'utf8')
  const installed = withInstalledProgram(text)
  if (installed === text) throw new Error(`${path} does not name the repository's script.`)
  await writeFile(path, installed)
}

/** For bundles, which include the module. */
export const installedProgram: Plugin = {
  name: 'installed-program',
  transform: (code, id) => (id.endsWith(`src/${MODULE}.ts`) ? withInstalledProgram(code) : undefined),
}
