// Known problems of other clients, reproduced on the embedded backend with the official client and with ours.
import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { officialVersion, SIDE_BY_SIDE } from '../../evidence/bench/side-by-side/index.ts'
import { live } from '../../evidence/bench/side-by-side/row.ts'
import { rows } from '../../evidence/bench/side-by-side/rows.ts'
import { openScene } from '../../evidence/bench/side-by-side/scene.ts'
import { cell, heading } from '../../evidence/bench/side-by-side/table.ts'
import { CHEAP } from '../harness/backend.ts'

const scene = await openScene(CHEAP)
afterAll(() => scene.stop())

/** The cells of each line of the table. */
const documented = readFileSync(SIDE_BY_SIDE, 'utf8')
  .split('\n')
  .filter(text => text.startsWith('|'))
  .map(text =>
    text
      .slice(1, -1)
      .split('|')
      .map(word => word.trim()),
  )

/** Fixed in the official client since it was reported; it no longer needs a lock for coordination. */
const MENDED = [2]

test('the official client is the measured version', () => {
  expect(officialVersion()).toBe('2.119.0')
  expect(`| ${documented[0]?.join(' | ')} |`).toBe(heading('2.119.0'))
})

test('there is a row for each of the twenty, in order', () => {
  const numbers = Array.from({ length: 20 }, (_, n) => n + 1)
  expect([...new Set(rows.map(({ number }) => number))]).toEqual(numbers)
  const lines = documented.slice(2).map(([number, title]) => [Number(number), title])
  expect(lines).toEqual(rows.map(({ number, title }) => [number, title]))
})

describe.each(rows)('row $number, $title: $done', row => {
  const written = documented.find(([, title]) => title === row.title) ?? []

  test(`supabase-js ${MENDED.includes(row.number) ? 'no longer breaks' : 'still breaks'}, as docs/side-by-side.md says`, async () => {
    const lived = await live(row, scene, 'official')
    expect([lived.isWell, cell(lived)]).toEqual([MENDED.includes(row.number), written[3]])
  })

  test('Chartroom does not break, as docs/side-by-side.md says', async () => {
    const lived = await live(row, scene, 'chartroom')
    expect([lived.isWell, cell(lived)]).toEqual([true, written[4]])
  })
})
