// Runs a project in a separate process, which ends after a limit.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Outcome } from './report.ts'

export const ENGINES = ['pglite', 'postgres'] as const
export type EngineName = (typeof ENGINES)[number]

const CHILD = fileURLToPath(new URL('start-one.ts', import.meta.url))
/** From the signal to the end of a process that does not stop. */
const GRACE_MS = 3_000

/** Resolves also for a project that does not start, and for a process that ends without a word. */
export async function runProject(project: string, engine: EngineName, seconds: number): Promise<Outcome> {
  const home = mkdtempSync(join(tmpdir(), 'chartroom-projects-'))
  const began = performance.now()
  try {
    const { output, errors, isLate } = await runChild(project, engine, seconds, home)
    const milliseconds = Math.round(performance.now() - began)
    const line = output.split('\n').findLast(text => text.startsWith('{'))
    if (line !== undefined) return { ...(JSON.parse(line) as Omit<Outcome, 'milliseconds'>), milliseconds }
    const reason = isLate ? `did not finish within ${seconds} s` : `ended: ${errors.trim().slice(-400)}`
    return { milliseconds, failure: { reason } }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** The environment has no secrets and another home folder, which is deleted afterward. */
function runChild(project: string, engine: EngineName, seconds: number, home: string) {
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, ['--no-warnings', '--stack-size=4000', CHILD, project, engine], {
    cwd: home,
    env: { PATH: `${dirname(process.execPath)}:${PATH}`, HOME: home, TMPDIR: tmpdir(), LANG: 'C.UTF-8' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const texts = { output: '', errors: '', isLate: false }
  child.stdout.on('data', (chunk: Buffer) => void (texts.output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => void (texts.errors += chunk.toString()))
  // A server that it has started ends with it.
  const limit = setTimeout(() => {
    texts.isLate = true
    child.kill('SIGTERM')
    setTimeout(() => child.kill('SIGKILL'), GRACE_MS).unref()
  }, seconds * 1000)
  return new Promise<typeof texts>(resolve => {
    child.on('close', () => {
      clearTimeout(limit)
      resolve(texts)
    })
  })
}
