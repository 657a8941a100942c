// The order of test files: by project, long files first, and none missing.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { inOrder, SECONDS, type Timed } from '../../scripts/test-order.ts'

const known = Object.keys(SECONDS)
const named = (project: string, path: string): Timed => ({ project, path })

test('every file listed as slow exists', () => {
  const tests = fileURLToPath(new URL('..', import.meta.url))
  expect(known.filter(path => !existsSync(`${tests}/${path}`))).toEqual([])
})

describe('file order', () => {
  const projects = ['pure', 'ui', 'page', 'unit', 'browser', 'system', 'alone', 'database', 'long']
  const short = projects.flatMap(project =>
    Array.from({ length: 20 }, (_, n) => named(project, `${project}/${n + 10}.test.ts`)),
  )
  const long = [
    named('long', 'model/specs.test.ts'),
    named('long', 'scenarios/chaos.test.ts'),
    named('browser', 'browser/console.test.ts'),
  ]
  const files = [...short, ...long]
  const ordered = inOrder(files)

  test('contains each file exactly once', () => {
    expect(new Set(ordered)).toEqual(new Set(files))
    expect(ordered).toHaveLength(files.length)
  })

  test('groups files by project, slowest project first', () => {
    expect(ordered.map(({ project }) => project).filter((one, at, all) => one !== all[at - 1])).toEqual([
      'browser',
      'long',
      'database',
      'system',
      'alone',
      'unit',
      'ui',
      'page',
      'pure',
    ])
    expect(ordered.filter(({ project }) => project === 'long').slice(0, 3)).toEqual([
      named('long', 'scenarios/chaos.test.ts'),
      named('long', 'model/specs.test.ts'),
      named('long', 'long/10.test.ts'),
    ])
  })

  test('starts with browser tests', () => {
    expect(ordered[0]).toEqual(named('browser', 'browser/console.test.ts'))
  })

  test('sorts browser tests among themselves', () => {
    const browsers = short.filter(({ project }) => project === 'browser')
    expect(inOrder([...browsers, named('browser', 'browser/console.test.ts')])[0]).toEqual(
      named('browser', 'browser/console.test.ts'),
    )
  })
})
