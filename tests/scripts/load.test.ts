// The figures of the load scenarios: memory as Linux reports it, ratios, and the rows of the table.
import { expect, test } from 'vitest'
import { readShare } from '../../scripts/load/memory.ts'
import { formatRatio, rowsOf } from '../../scripts/load/report.ts'
import type { ScenarioResult } from '../../scripts/load/scenarios.ts'

test('reads the share of a process from smaps_rollup in kB', () => {
  const rollup = [
    '55be9f14f000-7ffc7f3e6000 ---p 00000000 00:00 0                          [rollup]',
    'Rss:                1840 kB',
    'Pss:                 370 kB',
    'Pss_Dirty:           112 kB',
    'Private_Clean:        56 kB',
    '',
  ].join('\n')
  expect(readShare(rollup)).toBe(370)
  expect(readShare('Rss:                1840 kB\n')).toBeUndefined()
})

test.each([
  [463, 2100, '0.22'],
  [6, 2, '3.0'],
  [5.3, 0.4, '13'],
  [1234, 10, '123'],
  [0, undefined, '–'],
  [5, 0, '–'],
])('the ratio of %s to %s is %s', (value, other, ratio) => {
  expect(formatRatio(value, other)).toBe(ratio)
})

const NOTHING = { tallies: [], seconds: 1, notes: [], problems: [] } satisfies Partial<ScenarioResult>

test('a scenario has a row for each figure, with a dash for what was not measured', () => {
  const backend = {
    ...NOTHING,
    figures: { 'restart, median ms': 1034.6, 'acknowledged writes lost': 0 },
    memory: { before: 200, peak: 662.4, after: 300 },
  }
  const peer = { ...NOTHING, figures: { 'restart, median ms': 600 } }
  expect(rowsOf({ name: 'kills', engine: 'pglite', backend, peer })).toEqual([
    ['pglite', 'kills', 'restart, median ms', '1035', '600', '1.7', '662 MB', '–'],
    ['pglite', 'kills', 'acknowledged writes lost', '0', '–', '–', '662 MB', '–'],
  ])
})
