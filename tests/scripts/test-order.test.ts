// The order of the test files: one project after the other, long ones first, and nothing lost.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { inOrder, SECONDS, type Timed } from '../../scripts/test-order.ts'

const known = Object.keys(SECONDS)
const named = (project: string, path: string): Timed => ({ project, path })

test('every file that is said to take long is there', () => {
  const tests = fileURLToPath(new URL('..', import.meta.url))
  expect(known.filter(path => !existsSync(`${tests}/${path}`))).toEqual([])
})

describe('of the files', () => {
  const projects = ['pure', 'ui', 'page', 'unit', 'browser', 'system', 'alone', 'deep']
  const short = projects.flatMap(project =>
    Array.from({ length: 20 }, (_, n) => named(project, `${project}/${n + 10}.test.ts`)),
  )
  const long = [
    named('pure', 'model/sequences.test.ts'),
    named('pure', 'scenarios/chaos.test.ts'),
    named('browser', 'browser/console.test.ts'),
  ]
  const files = [...short, ...long]
  const ordered = inOrder(files)

  test('none is lost or told twice', () => {
    expect(new Set(ordered)).toEqual(new Set(files))
    expect(ordered).toHaveLength(files.length)
  })

  test('those of one project come one after the other, the longest before the others', () => {
    expect(ordered.map(({ project }) => project).filter((one, at, all) => one !== all[at - 1])).toEqual([
      'browser',
      'deep',
      'system',
      'alone',
      'unit',
      'ui',
      'page',
      'pure',
    ])
    expect(ordered.filter(({ project }) => project === 'pure').slice(0, 3)).toEqual([
      named('pure', 'scenarios/chaos.test.ts'),
      named('pure', 'model/sequences.test.ts'),
      named('pure', 'pure/10.test.ts'),
    ])
  })

  test('a browser is first', () => {
    expect(ordered[0]).toEqual(named('browser', 'browser/console.test.ts'))
  })

  test('browsers alone are in order too', () => {
    const browsers = short.filter(({ project }) => project === 'browser')
    expect(inOrder([...browsers, named('browser', 'browser/look.test.ts')])[0]).toEqual(
      named('browser', 'browser/look.test.ts'),
    )
  })
})
