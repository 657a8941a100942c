// Finding many parts of a value by their JSON Pointers.
import { expect, test } from 'vitest'
import { partAt, partFinder } from '../../src/trace/index.ts'

test('finds the same as one by one, also in maps and sets', () => {
  const value = { map: new Map<unknown, unknown>([[{ k: 1 }, [new Set([{ a: 1 }, 2])]]]), list: ['x'] }
  const find = partFinder(value)
  for (const at of ['', '/map', '/map/0/k', '/map/1/0/0/a', '/map/1/0/1', '/map/7', '/list/0', '/no/thing'])
    expect(find(at)).toBe(partAt(value, at))
})

test('finds 100,000 parts of a large map without listing it each time', () => {
  const find = partFinder(new Map(Array.from({ length: 100_000 }, (_, at) => [at, { at }])))
  const before = process.cpuUsage().user
  for (let at = 0; at < 100_000; at++) expect((find(`/${at * 2 + 1}`) as { at: number }).at).toBe(at)
  expect((process.cpuUsage().user - before) / 1_000_000).toBeLessThan(10)
})
