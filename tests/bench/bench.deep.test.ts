// `npm run bench` as a program: one object per benchmark, and what it says of wrong usage.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)

test('running a benchmark prints one JSON line', async () => {
  // The duration does not matter here.
  const args = [
    '--liftoff-only',
    'scripts/evidence.ts',
    'bench',
    'backend-boot-warm',
    '--json',
    '--samples',
    '1',
  ]
  const { stdout } = await run(process.execPath, args)
  const result = JSON.parse(stdout)
  expect(result).toEqual({
    name: 'backend-boot-warm',
    value: expect.any(Number),
    unit: 'ms',
    peer: 'PGlite alone, with an existing folder',
    peerValue: expect.any(Number),
    ratio: expect.any(Number),
    samples: 1,
  })
  expect(result.value).toBeGreaterThan(0)
})

test.each([
  [['nothing'], 'Unknown benchmark: nothing.'],
  [['--samples', '0'], '--samples must be a whole number above 0, not "0".'],
  [['--minutes', '1.5'], '--minutes must be a whole number from 1 to 999, not "1.5".'],
  [['--jsn'], "Unknown option '--jsn'"],
])('%j exits with 2 and lists the benchmarks', async (args, message) => {
  const error: unknown = await run(process.execPath, ['scripts/evidence.ts', 'bench', ...args]).catch(
    (problem: unknown) => problem,
  )
  expect(error).toMatchObject({ code: 2, stderr: expect.stringContaining(message) })
  expect(error).toMatchObject({ stderr: expect.stringContaining('backend-boot-cold, backend-boot-warm') })
})
