// Runs tests in a child process with given settings, and reads the results of the last run.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { root } from './tool.ts'

const resultsSchema = v.object({
  testResults: v.array(
    v.object({
      name: v.string(),
      startTime: v.number(),
      endTime: v.number(),
      assertionResults: v.array(v.object({ status: v.string(), title: v.string() })),
    }),
  ),
})

type FileResult = v.InferOutput<typeof resultsSchema>['testResults'][number]

/** Returns the exit code; `settings` are environment variables. */
export async function runTests(
  files: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<number> {
  const child = spawn(
    process.execPath,
    ['--import', './scripts/node-version.js', 'scripts/test.ts', ...files],
    { cwd: root, stdio: 'inherit', env: { ...process.env, ...settings } },
  )
  await once(child, 'exit')
  return child.exitCode ?? 1
}

/** The results of the last run, by file; times in milliseconds since 1970. */
export async function readTestResults(): Promise<readonly FileResult[]> {
  const text: unknown = JSON.parse(await readFile(join(root, 'test-results/tests.json'), 'utf8'))
  return v.parse(resultsSchema, text).testResults
}

/** The titles of a file's tests with this status. */
export const titlesOf = (
  { assertionResults }: FileResult,
  status: 'passed' | 'failed' | 'skipped',
): string[] => assertionResults.filter(one => one.status === status).map(({ title }) => title)
