// The commands `backend` and `start` of the package: those of @chartroom/backend, if the app has installed it.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Run } from './command.ts'
import { installSentence } from './install-command.ts'
import { printError } from './print.ts'

const MISSING = `The embedded backend is a package of its own: ${installSentence('chartroom-backend', '--save-dev ')}
`

interface BackendCommands {
  readonly backendCommand: Run
  readonly startCommand: Run
}

/** Resolved from the app's folder: package managers hide from a package what it does not depend on. */
export const installedCommand =
  (name: keyof BackendCommands): Run =>
  async args => {
    const file = resolved('@chartroom/backend/command')
    if (file === undefined) {
      printError(MISSING)
      return 2
    }
    const commands = (await import(pathToFileURL(file).href)) as BackendCommands
    return commands[name](args)
  }

function resolved(name: string): string | undefined {
  try {
    return createRequire(join(process.cwd(), 'package.json')).resolve(name)
  } catch {
    return undefined
  }
}
