// Runs a suite of the official client with its own Jest and reads the results.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import * as v from 'valibot'
import { runIn } from './run.ts'

export interface TestOutcome {
  /** File and full title, which together identify a test. */
  readonly name: string
  readonly passed: boolean
  /** The first line of the failure. */
  readonly reason: string | undefined
}

const reportSchema = v.object({
  testResults: v.array(
    v.object({
      name: v.string(),
      message: v.string(),
      assertionResults: v.array(
        v.object({ fullName: v.string(), status: v.string(), failureMessages: v.array(v.string()) }),
      ),
    }),
  ),
})

/** Runs Jest in a package; skipped tests are omitted. Throws if Jest writes no report. */
export async function runJest(packageDir: string, args: readonly string[]): Promise<TestOutcome[]> {
  const folder = mkdtempSync(join(tmpdir(), 'chartroom-compatibility-'))
  try {
    const file = join(folder, 'report.json')
    const jest = join(packageDir, 'node_modules/.bin/jest')
    const options = ['--runInBand', '--forceExit', '--coverage=false', '--json', `--outputFile=${file}`]
    const { output } = await runIn(packageDir, jest, [...args, ...options])
    return readReport(file, output)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function readReport(file: string, output: string): TestOutcome[] {
  const parsed = v.safeParse(reportSchema, parseFile(file))
  if (!parsed.success) throw new Error(`Jest wrote no report. Its output ends with:\n${output.slice(-2_000)}`)
  return parsed.output.testResults.flatMap(({ name, message, assertionResults }) => {
    // A file that fails to load has no test names.
    if (assertionResults.length === 0)
      return [{ name: basename(name), passed: false, reason: firstLine(message) }]
    return assertionResults
      .filter(({ status }) => status === 'passed' || status === 'failed')
      .map(({ fullName, status, failureMessages }) => ({
        name: `${basename(name)}: ${fullName}`,
        passed: status === 'passed',
        reason: failureMessages[0] === undefined ? undefined : firstLine(failureMessages[0]),
      }))
  })
}

function parseFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

function firstLine(text: string): string {
  return (
    stripVTControlCharacters(text)
      .split('\n')
      .find(line => line.trim() !== '') ?? ''
  )
}
