// The combinations of `npm run matrix`: few, and each two versions occur together.
import { expect, test } from 'vitest'
import { AXES, pairwise } from '../../scripts/matrix/combinations.ts'

test('each two values of different axes occur together in some row', () => {
  const rows = pairwise().map(row => Object.values(row))
  const axes = Object.values(AXES)
  const missing = axes.flatMap((values, at) =>
    axes
      .slice(at + 1)
      .flatMap((others, next) =>
        values.flatMap(value =>
          others
            .filter(other => !rows.some(row => row[at] === value && row[at + 1 + next] === other))
            .map(other => `${value} ${other}`),
        ),
      ),
  )
  expect(missing).toEqual([])
  expect(rows.length).toBeLessThan(20)
})
