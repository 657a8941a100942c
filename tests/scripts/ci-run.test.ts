// Runs .ci/run with a fake npm: its last line and exit code for every outcome.
import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const script = fileURLToPath(new URL('../../.ci/run', import.meta.url))

/** Runs .ci/run with the given shell commands as `npm ci`, `npm test` and `npm run test:deep`. */
async function runCi(ci: string, tests: string, deep: string): Promise<{ code: number; lines: string[] }> {
  const dir = await mkdtemp(join(tmpdir(), 'chartroom-ci-'))
  try {
    await mkdir(join(dir, '.ci'))
    await cp(script, join(dir, '.ci/run'))
    const ordinary = `[ "$CI" = true ] || exit 9\n${tests}`
    const long = `[ "$2 $3 $4" = "test:deep -- --minutes" ] || exit 9\n${deep}`
    await writeFile(
      join(dir, 'npm'),
      `#!/bin/sh\ncase "$1" in\nci) ${ci} ;;\ntest) ${ordinary} ;;\nrun) ${long} ;;\nesac\n`,
    )
    await chmod(join(dir, 'npm'), 0o755)
    return await new Promise(resolve => {
      const env = { ...process.env, PATH: `${dir}:${process.env['PATH'] ?? ''}` }
      execFile(join(dir, '.ci/run'), { env }, (error, stdout) => {
        const code = error ? Number(error.code) : 0
        resolve({ code, lines: stdout.trimEnd().split('\n') })
      })
    })
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

const GREEN = 'echo "7 passed, 0 failed"'

test.each([
  { name: 'all pass', ci: 'true', tests: GREEN, deep: GREEN, code: 0, line: '14 passed, 0 failed' },
  {
    name: 'some are skipped',
    ci: 'true',
    tests: 'echo "7 passed, 0 failed, 2 skipped"',
    deep: 'echo "1 passed, 0 failed, 3 skipped"',
    code: 0,
    line: '8 passed, 0 failed',
  },
  {
    name: 'some fail, and the deep tests run nevertheless',
    ci: 'true',
    tests: 'echo "7 passed, 2 failed"; echo "npm error code 1" >&2; exit 1',
    deep: GREEN,
    code: 1,
    line: '14 passed, 2 failed',
  },
  {
    name: 'some fail in each',
    ci: 'true',
    tests: 'echo "7 passed, 2 failed"; exit 1',
    deep: 'echo "3 passed, 1 failed"; exit 1',
    code: 1,
    line: '10 passed, 3 failed',
  },
  { name: 'the install fails', ci: 'exit 3', tests: GREEN, deep: GREEN, code: 3, line: '0 passed, 1 failed' },
  {
    name: 'the run crashes',
    ci: 'true',
    tests: 'exit 134',
    deep: GREEN,
    code: 134,
    line: '7 passed, 1 failed',
  },
  {
    name: 'the deep run crashes',
    ci: 'true',
    tests: GREEN,
    deep: 'exit 134',
    code: 134,
    line: '7 passed, 1 failed',
  },
  {
    name: 'a run crashes after its summary',
    ci: 'true',
    tests: 'echo "7 passed, 0 failed"; exit 1',
    deep: GREEN,
    code: 1,
    line: '14 passed, 1 failed',
  },
  { name: 'no output', ci: 'true', tests: 'true', deep: GREEN, code: 1, line: '7 passed, 1 failed' },
])('$name: $line', async ({ ci, tests, deep, code, line }) => {
  const result = await runCi(ci, tests, deep)
  expect(result.code).toBe(code)
  expect(result.lines.at(-1)).toBe(line)
})

test('what failed is above the last line, not only in the middle of the output', async () => {
  const tests = 'echo "FAILED a.test.ts > one: no"; echo "7 passed, 1 failed"; exit 1'
  const { lines } = await runCi('true', tests, GREEN)
  expect(lines.slice(-2)).toEqual(['FAILED a.test.ts > one: no', '14 passed, 1 failed'])
})
