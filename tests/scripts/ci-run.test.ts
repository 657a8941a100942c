// .ci/run over a made-up npm: its last line and exit code in every way that a run can end.
import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const script = fileURLToPath(new URL('../../.ci/run', import.meta.url))

/** Runs .ci/run where `npm ci` and `npm test` are the given shell commands. */
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
  { name: 'the run breaks off', ci: 'true', tests: 'exit 134', code: 134, line: '0 passed, 1 failed' },
  {
    name: 'the run breaks off after its line',
    ci: 'true',
    tests: 'echo "7 passed, 0 failed"; exit 1',
    code: 1,
    line: '7 passed, 1 failed',
  },
  { name: 'nothing is said', ci: 'true', tests: 'true', code: 1, line: '0 passed, 1 failed' },
])('$name: $line', async ({ ci, tests, code, line }) => {
  expect(await runCi(ci, tests)).toEqual({ code, lastLine: line })
})
