// Installs the packages of `evidence`, which only benchmarks, comparisons and the documentation site use, when a
// command needs them for the first time.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root, runTool } from './tool.ts'

interface Locked {
  readonly version?: string
  /** Not installed on every platform. */
  readonly optional?: boolean
}

const EVIDENCE = join(root, 'evidence')
/** Without a network, npm would wait for a minute before it gives up. */
const INSTALL = ['ci', '--fetch-retry-mintimeout=1000']

/** Whether the packages of the lockfile are installed, and no others. */
export async function hasEvidence(folder = EVIDENCE): Promise<boolean> {
  const [wanted, installed] = await Promise.all([
    packagesIn(join(folder, 'package-lock.json')),
    // npm writes it at the end of an installation.
    packagesIn(join(folder, 'node_modules/.package-lock.json')).catch(() => undefined),
  ])
  if (!installed) return false
  return (
    Object.keys(installed).every(path => Object.hasOwn(wanted, path)) &&
    Object.entries(wanted).every(
      ([path, { version, optional }]) =>
        path === '' || installed[path]?.version === version || (optional === true && !installed[path]),
    )
  )
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
}

async function packagesIn(lockfile: string): Promise<Readonly<Record<string, Locked>>> {
  const { packages } = JSON.parse(await readFile(lockfile, 'utf8')) as {
    readonly packages: Readonly<Record<string, Locked>>
  }
  return packages
}
