// `npm run matrix`: few combinations in which each two versions occur together, and the table of runtimes.
import { expect, test } from 'vitest'
import { AXES, pairwise } from '../../scripts/matrix/combinations.ts'
import { readReport, RUNTIME_COLUMNS, type RuntimeRow, runtimeCells } from '../../scripts/matrix/runtimes.ts'

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

test.each([
  ['passed', 0, '{"done":["import"]}', { done: ['import'] }],
  ['printed something else first', 0, 'warning\n{"done":[]}\n', { done: [] }],
  [
    'failed at a step',
    0,
    '{"done":["import"],"failure":"refused"}',
    { done: ['import'], failure: 'refused' },
  ],
  ['had to be stopped', 1, '{"done":["import"]}', { done: ['import'], failure: 'it did not exit' }],
  ['did not start', 1, 'loading\nError: no such module', { done: [], failure: 'Error: no such module' }],
])('a runtime that %s', (_, code, text, expected) => {
  expect(readReport({ code, text })).toEqual(expected)
})

test('the row of a runtime has the failure in the column of its step', () => {
  const all = ['import', 'sign-in', 'query', 'channel', 'recording']
  const rows: RuntimeRow[] = [
    { name: 'Node', version: '24', done: all },
    { name: 'Bun', version: '1', done: all, failure: 'it did not exit' },
    { name: 'Deno', version: '2', done: ['import'], failure: 'refused' },
  ]
  expect(rows.map(row => runtimeCells(row).join())).toEqual([
    'Node,24,yes,yes,yes,yes,yes,yes',
    'Bun,1,yes,yes,yes,yes,yes,it did not exit',
    'Deno,2,yes,refused,,,,',
  ])
  for (const row of rows) expect(runtimeCells(row)).toHaveLength(RUNTIME_COLUMNS.length)
})
