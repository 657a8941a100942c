// The commands `backend` and `start`. V8's compiled code of their modules is kept between runs, since compiling them
// takes a third of a start.
import module from 'node:module'
import { join } from 'node:path'
import type { Run } from './command.ts'

/** Runs `chartroom backend`; resolves to the exit code once the backend has stopped. */
export const backendCommand: Run = async args => {
  keepCompiledCode()
  const { backendCommand: run } = await import('./backend.ts')
  return run(args)
}

/** Runs `chartroom start` of the package, which contains the built app; resolves to the exit code. */
export const startCommand: Run = async args => {
  keepCompiledCode()
  const { createStartCommand } = await import('./start/start-command.ts')
  const appDir = join(import.meta.dirname, '..', '..', 'app')
  return createStartCommand({ program: 'chartroom', usage: 'start [flags]', appDir })(args)
}

/**
 * Keeps compiled code in a folder of the installation: everyone may write to Node's default, a temporary one.
 * Nothing is kept if the folder can't be written.
 */
function keepCompiledCode(): void {
  const folder = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'chartroom', 'compiled')
  module.enableCompileCache(folder)
}
