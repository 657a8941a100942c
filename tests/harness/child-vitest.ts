// Runs the tests of a folder in a separate vitest.
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '../../scripts/tool.ts'

/** An empty test folder within the project, so that tests find their dependencies. */
export async function folderForTests(name: string): Promise<string> {
  const results = join(root, 'test-results')
  await mkdir(results, { recursive: true })
  return mkdtemp(join(results, `${name}-`))
}

/** The output of a folder's tests, or of those whose file matches, and whether all passed. */
export async function runVitest(
  folder: string,
  filter?: string,
): Promise<{ readonly output: string; readonly passed: boolean }> {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const args = [vitest, 'run', '--root', folder, '--pool', 'threads', '--maxWorkers', '1']
  if (filter !== undefined) args.push(filter)
  const env = { ...process.env, NO_COLOR: '1' }
  return new Promise(resolve => {
    execFile(process.execPath, args, { cwd: folder, env }, (error, stdout, stderr) =>
      resolve({ output: stdout + stderr, passed: error === null }),
    )
  })
}
