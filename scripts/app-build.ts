// Builds the app with Vite if its sources have changed since the last build.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fingerprint, Stamp } from './fingerprint.ts'
import { ensureGenerated } from './generated.ts'
import { root, runTool } from './tool.ts'

/** Vite's output folder. */
export const appDir = join(root, 'dist')

const stamp = new Stamp('app-build')
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
  await ensureGenerated()
  const sources = await fingerprint(INPUTS)
  if (existsSync(join(appDir, 'index.html')) && (await stamp.is(sources))) return false
  await stamp.forget()
  const { code, output } = await runTool('vite', ['build'], {
    env: { NODE_ENV: 'production', NO_COLOR: '1' },
    ...(signal ? { signal } : {}),
  })
  if (code !== 0) throw new Error(`Failed to build the app:\n${output.trimEnd()}`)
  await stamp.set(sources)
  return true
}

/** Marks the app folder as not built, because another build writes to it. */
export const forgetBuild = (): Promise<void> => stamp.forget()
