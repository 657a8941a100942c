// The command lines that texts offer to copy: how `chartroom` is started where this code comes from.

import { shellWord } from './exports/code-text.ts'

/** In the repository and what is built from it; the package's build writes the path of the installed program. */
const PROGRAM = 'npm run -s chartroom --'

/** A command line of `chartroom` with these words, which may be any text. */
export const commandLine = (...words: readonly string[]): string =>
  [PROGRAM, ...words.map(shellWord)].join(' ')
