// `npm run matrix`: few combinations in which each two versions occur together, and the tables of results.
import { expect, test } from 'vitest'
import { mergeRows } from '../../scripts/page-tables.ts'
import { AXES, labelOf, labelOfVersions, pairwise } from '../../scripts/matrix/combinations.ts'
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
  [
    ['npm', '18.3.1', '1.6.1', '5.4.5', '2.100.0'],
    'manager npm, react 18, vitest 1, typescript 5.4, supabase 2.100.0',
  ],
  [
    ['bun', '19.3.1', '5.1.1', '7.0.2', '2.110.9'],
    'manager bun, react 19, vitest 5, typescript 7, supabase 2.110',
  ],
  [
    ['pnpm', '18.3.1', '3.2.7', '6.0.3', '2.119.1'],
    'manager pnpm, react 18, vitest 3, typescript 6, supabase 2',
  ],
  [
    ['yarn', '19', '4', '5.9', '3.0.0-next.29'],
    'manager yarn, react 19, vitest 4, typescript 5.9, supabase 3.0.0-next.29',
  ],
  [['npm', '20.0.0', '1.6.1', '5.4.5', '2.100.0'], undefined],
  [['Installed by', 'React', 'Vitest', 'TypeScript', 'supabase-js'], undefined],
])('the versions %j belong to the row "%s"', (versions, label) => {
  expect(labelOfVersions(versions)).toBe(label)
})

test('each row is found again by the ranges of its versions', () => {
  for (const row of pairwise()) expect(labelOfVersions(Object.values(row))).toBe(labelOf(row))
})

test('rows that were run replace those of the table, and the others stay in their places', () => {
  const old = [
    ['a', 'old'],
    ['c', 'old'],
    ['unknown', 'old'],
  ]
  const rows = [
    ['d', 'new'],
    ['c', 'new'],
    ['b', 'new'],
  ]
  expect(mergeRows(rows, old, ['a', 'b', 'c', 'd', 'e']).map(row => row.join(' '))).toEqual([
    'a old',
    'b new',
    'c new',
    'd new',
  ])
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
