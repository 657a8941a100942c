// Builds the app with Vite if its sources have changed since the last build.
import { createHash } from 'node:crypto'
import { access, glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { root, runTool } from './tool.ts'

/** Vite's output folder. */
export const appDir = join(root, 'dist')

const STAMP = join(root, 'node_modules/.cache/chartroom/app-build')
const INPUTS = [
  'index.html',
  'console.html',
  'vite.config.ts',
  'tsconfig.json',
  'package-lock.json',
  'src/**',
  'public/**',
  'scripts/deploy/**',
]

/**
 * Builds the app if the built one is out of date.
 * @returns whether a build was needed
 * @throws Error with Vite's output if the build fails
 */
export async function ensureApp(signal?: AbortSignal): Promise<boolean> {
  const sources = await fingerprint()
  if (await isBuiltFrom(sources)) return false
  await rm(STAMP, { force: true })
  const { code, output } = await runTool('vite', ['build'], {
    env: { NODE_ENV: 'production' },
    ...(signal ? { signal } : {}),
  })
  if (code !== 0) throw new Error(`Failed to build the app:\n${output.trimEnd()}`)
  await mkdir(dirname(STAMP), { recursive: true })
  await writeFile(STAMP, sources)
  return true
}

/** Marks the app folder as not built, because another build writes to it. */
export const forgetBuild = (): Promise<void> => rm(STAMP, { force: true })

async function isBuiltFrom(sources: string): Promise<boolean> {
  const [stamp] = await Promise.all([
    readFile(STAMP, 'utf8').catch(() => ''),
    access(join(appDir, 'index.html')),
  ]).catch(() => [''])
  return stamp === sources
}

/** Hash of the files that match, with their names. */
export async function fingerprint(inputs: readonly string[] = INPUTS): Promise<string> {
  const files: string[] = []
  for await (const entry of glob([...inputs], { cwd: root, withFileTypes: true }))
    if (entry.isFile()) files.push(join(entry.parentPath, entry.name))
  const hash = createHash('sha256')
  for (const file of files.sort()) hash.update(`${file}\0`).update(await readFile(file))
  return hash.digest('hex')
}
