// Runs the tests of a folder in a vitest of their own.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { root } from '../../scripts/tool.ts'

/** What it printed, and whether all tests passed. */
export async function runVitest(
  folder: string,
): Promise<{ readonly output: string; readonly passed: boolean }> {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const args = [vitest, 'run', '--root', folder, '--pool', 'threads', '--maxWorkers', '1']
  const env = { ...process.env, NO_COLOR: '1' }
  return new Promise(resolve => {
    execFile(process.execPath, args, { cwd: folder, env }, (error, stdout, stderr) =>
      resolve({ output: stdout + stderr, passed: error === null }),
    )
  })
}
