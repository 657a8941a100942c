// Regular expressions of the client and the backend: each is tested with hostile input or listed, and none is
// slow.
import { globSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { BUILT } from '../../scripts/regexes/built.ts'
import { collectRegexes } from '../../scripts/regexes/collect.ts'
import { slowest } from '../../scripts/regexes/measure.ts'

const root = new URL('../..', import.meta.url).pathname
const files = globSync(['src/**/*.{ts,tsx}', 'backend/**/*.ts'], { cwd: root }).sort()
const all = collectRegexes(root, files)

/** Measures a suspect again: on a busy machine a linear expression may look slow once. */
function persistentlySlow(...of: Parameters<typeof slowest>): ReturnType<typeof slowest> {
  return slowest(...of) && slowest(...of) && slowest(...of)
}

test('every literal takes linear time on hostile texts generated from it', () => {
  const distinct = new Map(
    all.flatMap(({ file, line, source, flags, splits }) =>
      source === undefined
        ? []
        : [[JSON.stringify([source, flags, splits]), { file, line, source, flags, splits }] as const],
    ),
  )
  expect(distinct.size).toBeGreaterThan(400)
  const slow = [...distinct.values()].flatMap(({ file, line, source, flags, splits }) => {
    const found = persistentlySlow(source, flags, splits)
    return found ? [`${file}:${line} /${source}/${flags} on ${JSON.stringify(found.attack)}`] : []
  })
  expect(slow).toEqual([])
})

test('every expression built at run time is listed with a sample and is linear too', () => {
  const built = all.filter(({ source }) => source === undefined)
  const listed = Object.entries(BUILT).flatMap(([file, entries]) => entries.map(() => file))
  expect(built.map(({ file }) => file)).toEqual(listed.toSorted())
  const samples = Object.values(BUILT).flatMap(entries => entries.flatMap(entry => entry.samples))
  expect(samples.filter(({ source, flags }) => persistentlySlow(source, flags))).toEqual([])
})

describe('the check finds slow expressions', () => {
  test.each([
    [/^[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|ms|s|m|h))+$/, 'exponential'],
    [/(\d+\.?\d*|\.\d+)(ns|us|ms|s|m|h)/g, 'cubic'],
    [/()(eyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]*)/g, 'every start position is tried'],
    [/\[\^?\]?(?:\\.|\[(?<kind>[.:=]).*?\k<kind>\]|[^\]\\])*\]|./gs, 'classes of PostgreSQL'],
    [/\bcopy\b[^;]*\bfrom\s+stdin\b/i, 'a missing later word'],
    [/^\s*discard\s+all\s*;?\s*$/i, 'two adjacent repetitions of the same'],
    [/\?.*$/, 'a line break before the end'],
    [/"(?:[^"\\]|\\[\s\S])*"|[{}[\],:]|[^\s{}[\],:"]+/g, 'an alternative after each failure'],
    [/^(.*?)((?:\.(?:asc|desc|nullsfirst|nullslast))*)$/, 'an ending after anything'],
    [/\/auth\/v1\/token\?.*grant_type=(\w+)/, 'a missing parameter'],
  ])('%s: %s', pattern => {
    // A linear expression takes some milliseconds.
    expect(slowest(pattern.source, pattern.flags, false, 400)).toBeDefined()
  })

  test('by the growth of its time', () => {
    const growth = slowest('^-+|-+$', 'g', false, 10_000)?.growth
    expect(growth).toBeGreaterThan(9)
    expect(growth).toBeLessThan(100)
  })
})
