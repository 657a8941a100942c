// Runs .ci/run with a fake npm: its last line and exit code for every outcome.
import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const script = fileURLToPath(new URL('../../.ci/run', import.meta.url))

/** Runs .ci/run with the given shell commands as `npm ci` and `npm test`. */
async function runCi(ci: string, tests: string): Promise<{ code: number; lastLine: string }> {
  const dir = await mkdtemp(join(tmpdir(), 'chartroom-ci-'))
  try {
    await mkdir(join(dir, '.ci'))
    await cp(script, join(dir, '.ci/run'))
    await writeFile(
      join(dir, 'npm'),
      `#!/bin/sh\ncase "$1" in\nci) ${ci} ;;\ntest) [ "$CI" = true ] || exit 9\n${tests} ;;\nesac\n`,
    )
    await chmod(join(dir, 'npm'), 0o755)
    return await new Promise(resolve => {
      const env = { ...process.env, PATH: `${dir}:${process.env['PATH'] ?? ''}` }
      execFile(join(dir, '.ci/run'), { env }, (error, stdout) => {
        const code = error ? Number(error.code) : 0
        resolve({ code, lastLine: stdout.trimEnd().split('\n').at(-1) ?? '' })
      })
    })
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

test.each([
  { name: 'all pass', ci: 'true', tests: 'echo "7 passed, 0 failed"', code: 0, line: '7 passed, 0 failed' },
  {
    name: 'some are skipped',
    ci: 'true',
    tests: 'echo "7 passed, 0 failed, 2 skipped"',
    code: 0,
    line: '7 passed, 0 failed, 2 skipped',
  },
  {
    name: 'some fail',
    ci: 'true',
    tests: 'echo "7 passed, 2 failed"; echo "npm error code 1" >&2; exit 1',
    code: 1,
    line: '7 passed, 2 failed',
  },
  { name: 'the install fails', ci: 'exit 3', tests: 'true', code: 3, line: '0 passed, 1 failed' },
  { name: 'the run crashes', ci: 'true', tests: 'exit 134', code: 134, line: '0 passed, 1 failed' },
  {
    name: 'the run crashes after its summary',
    ci: 'true',
    tests: 'echo "7 passed, 0 failed"; exit 1',
    code: 1,
    line: '7 passed, 1 failed',
  },
  { name: 'no output', ci: 'true', tests: 'true', code: 1, line: '0 passed, 1 failed' },
])('$name: $line', async ({ ci, tests, code, line }) => {
  expect(await runCi(ci, tests)).toEqual({ code, lastLine: line })
})
