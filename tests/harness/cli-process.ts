// Runs `chartroom` in a separate process, as on a command line.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Ran } from './command.ts'

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))

/** Its output to each stream, and its exit code. @param environment in addition to that of this process */
export function runCli(args: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<Ran> {
  const env = { ...process.env, ...environment }
  return new Promise(resolve => {
    execFile(process.execPath, [MAIN, ...args], { env }, (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
    )
  })
}
