// Checks a built package with publint and are-the-types-wrong.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { runTool } from '../scripts/tool.ts'

/** `require()` is not supported, nor is Node's resolution before there were `exports`. */
const NOT_SUPPORTED = ['node10', 'node16-cjs']

/**
 * @param dir the built package
 * @param entries names in `exports` that must be checked; the others have no types
 * @returns one line for each problem
 */
export async function problemsOf(dir: string, entries: readonly string[]): Promise<string[]> {
  const { messages, pkg } = await publint({ pkgDir: dir, strict: true, pack: false })
  const found = messages.map(message => `publint: ${formatMessage(message, pkg) ?? message.code}`)
  const result = await checkPackage(createPackageFromTarballData(await packed(dir)))
  if (!result.types) return [...found, 'are-the-types-wrong: the package has no types']
  const missing = entries.filter(entry => !Object.hasOwn(result.entrypoints, entry))
  const wrong = result.problems.filter(
    problem => !('resolutionKind' in problem) || !NOT_SUPPORTED.includes(problem.resolutionKind),
  )
  return [
    ...found,
    ...missing.map(entry => `are-the-types-wrong: ${entry} was not checked`),
    ...wrong.map(problem => `are-the-types-wrong: ${JSON.stringify(problem)}`),
  ]
}

async function packed(dir: string): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'chartroom-pack-'))
  try {
    const { code, output } = await runTool('npm', ['pack', '--silent', '--pack-destination', folder], {
      cwd: dir,
    })
    if (code !== 0) throw new Error(`npm pack failed: ${output}`)
    return new Uint8Array(await readFile(join(folder, output.trim().split('\n').at(-1) ?? '')))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
