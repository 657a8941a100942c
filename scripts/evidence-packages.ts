// Installs the packages of `evidence`, which only benchmarks, comparisons and the documentation site use, when a
// command needs them for the first time.
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root, runTool } from './tool.ts'

const EVIDENCE = join(root, 'evidence')
/** The lockfile that was installed; inside, so that it is gone when the packages are. */
const STAMP = 'node_modules/.installed'
/** Without a network, npm would wait for a minute before it gives up. */
const INSTALL = ['ci', '--fetch-retry-mintimeout=1000']

/** Whether the packages of the lockfile are installed. */
export async function hasEvidence(folder = EVIDENCE): Promise<boolean> {
  return (await readFile(join(folder, STAMP), 'utf8').catch(() => '')) === (await lockIn(folder))
}

/**
 * Installs the packages if they are missing, or not those of the lockfile.
 * @throws Error that says what to do, with npm's output, if they could not be installed
 */
export async function ensureEvidence(folder = EVIDENCE): Promise<void> {
  if (await hasEvidence(folder)) return
  // Standard output is that of the command.
  console.error(
    'Installing the packages of the folder evidence: npm ci, once for each version of its lockfile.',
  )
  const { code, output } = await runTool('npm', INSTALL, { cwd: folder })
  if (code !== 0)
    throw new Error(
      'The packages of the folder evidence could not be installed, which come from the npm registry. ' +
        `Run the command again when the registry can be reached. npm ci failed:\n${output.trimEnd()}`,
    )
  await writeFile(join(folder, STAMP), await lockIn(folder))
}

async function lockIn(folder: string): Promise<string> {
  const hash = createHash('sha256')
  for (const name of ['package.json', 'package-lock.json']) hash.update(await readFile(join(folder, name)))
  return hash.digest('hex')
}
