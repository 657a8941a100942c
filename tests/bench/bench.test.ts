// The result of a benchmark: our value and the peer's, and their ratio.
import { expect, test } from 'vitest'
import { median, runBenchmark } from '../../evidence/bench/contract.ts'

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
