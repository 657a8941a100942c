// The command lines that texts offer to copy: how `chartroom` is started where this code comes from.

/** In the repository and what is built from it; the package's build writes the path of the installed program. */
const PROGRAM = 'npm run -s chartroom --'

/** A command line of `chartroom`. @param rest the command and its arguments, quoted for a shell */
export const commandLine = (rest: string): string => `${PROGRAM} ${rest}`
