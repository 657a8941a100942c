// Starts the process of a function.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Command } from './deno.ts'

export type Launch = (command: Command) => ChildProcessWithoutNullStreams

/** Of util-linux: makes the system end the process with its parent, also if that is killed. */
const SETPRIV = ['/usr/bin/setpriv', '/bin/setpriv'].find(
  file => process.platform === 'linux' && existsSync(file),
)

export const launchProcess: Launch = ({ file, args, environment, cwd }) => {
  const options = { cwd, env: environment, stdio: 'pipe' } as const
  return SETPRIV === undefined
    ? spawn(file, args, options)
    : spawn(SETPRIV, ['--pdeathsig', 'KILL', file, ...args], options)
}
