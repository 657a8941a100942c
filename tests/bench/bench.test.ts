// The contract of `npm run bench`: one object per benchmark, with our value and the peer's.
import { expect, test } from 'vitest'
import { median, runBenchmark } from '../../bench/contract.ts'
import { ranFile } from '../harness/command.ts'

test('computes the median of odd and even counts', () => {
  expect(median([5, 1, 3])).toBe(3)
  expect(median([4, 1, 3, 2])).toBe(2.5)
})

test('a result contains medians and their ratio', async () => {
  const measure = async () => ({ ours: [10, 30, 20], peer: [40, 50, 60] })
  const result = await runBenchmark({ name: 'made-up', unit: 'ms', peer: 'another', measure }, 3)
  expect(result).toEqual({
    name: 'made-up',
    value: 20,
    unit: 'ms',
    peer: 'another',
    peerValue: 50,
    ratio: 0.4,
    samples: 3,
  })
})

test.each([
  [['nothing'], 'Unknown benchmark: nothing.'],
  [['--samples', '0'], '--samples must be a whole number above 0, not "0".'],
  [['--minutes', '1.5'], '--minutes must be a whole number from 1 to 999, not "1.5".'],
  [['--jsn'], "Unknown option '--jsn'"],
])('%j exits with 2 and lists the benchmarks', async (args, message) => {
  const { code, err } = await ranFile('bench.ts', ...args)
  expect([code, err]).toEqual([2, expect.stringContaining(message)])
  expect(err).toContain('backend-boot-cold, backend-boot-warm')
})
