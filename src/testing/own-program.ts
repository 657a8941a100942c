// How the program is started from the current folder, for messages of Node programs.
import { existsSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { commandLine, shellWord } from '../trace/index.ts'

interface Here {
  readonly folder: string
  readonly isWindows: boolean
}

/**
 * A command line that starts this program from the current folder: the one that a package manager linked in the
 * folder or above it, else this installation's own file.
 * @param words the command and its arguments, which may be any text
 */
export function ownCommandLine(
  words: readonly string[],
  { folder, isWindows }: Here = { folder: process.cwd(), isWindows: process.platform === 'win32' },
): string {
  const withWords = (program: string) => [program, ...words.map(shellWord)].join(' ')
  const name = join('node_modules', '.bin', isWindows ? 'chartroom.cmd' : 'chartroom')
  for (let above = folder; ; above = dirname(above)) {
    if (existsSync(join(above, name))) return withWords(fromHere(folder, join(above, name)))
    if (above === dirname(above)) break
  }
  const file = fileURLToPath(new URL('../cli/bin.js', import.meta.url))
  // Only the package has it: the repository runs from its sources.
  return existsSync(file) ? withWords(`node ${fromHere(folder, file)}`) : commandLine(...words)
}

function fromHere(folder: string, file: string): string {
  const path = relative(folder, file)
  return path.startsWith('..') ? path : `.${sep}${path}`
}
