// A benchmark as a process: `npm run bench` prints one line of JSON.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)

test('running a benchmark prints one JSON line', { timeout: 60_000 }, async () => {
  // The duration does not matter here.
  const args = ['--liftoff-only', 'scripts/bench.ts', 'backend-boot-warm', '--json', '--samples', '1']
  const { stdout } = await run(process.execPath, args)
  const result = JSON.parse(stdout)
  expect(result).toEqual({
    name: 'backend-boot-warm',
    value: expect.any(Number),
    unit: 'ms',
    peer: '@supabase/lite alone, with an existing folder',
    peerValue: expect.any(Number),
    ratio: expect.any(Number),
    samples: 1,
  })
  expect(result.value).toBeGreaterThan(0)
})
