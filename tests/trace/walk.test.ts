// The walker of values: each object once, without recursion, up to a limit.
import { describe, expect, it } from 'vitest'
import { pointerTo, ValueWalk } from '../../src/trace/codec/walk.ts'

const places = (value: unknown) => [...new ValueWalk(value)].map(found => pointerTo(found))

/** Lists the places of a tree by recursion. */
function naivePlaces(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [path]
  const entries = Object.entries(value)
  return [path, ...entries.flatMap(([key, item]) => naivePlaces(item, `${path}/${key}`))]
}

function chain(length: number): object {
  let value: object = { end: true }
  for (let left = length; left > 0; left--) value = { next: value }
  return value
}

function dag(levels: number): object {
  let value: object = { end: 'x' }
  for (let left = levels; left > 0; left--) value = { left: value, right: value }
  return value
}

describe('walking', () => {
  it('visits a tree in the order of its keys, with JSON Pointers', () => {
    const tree = { a: [1, { b: null }, []], c: { d: 'x', 'e~/f': undefined } }
    expect(places(tree)).toEqual(naivePlaces(tree).map(path => path.replace('/e~/f', '/e~0~1f')))
  })

  it('visits maps as alternating keys and values, sets as lists, and hidden fields of errors', () => {
    const error = new Error('no', { cause: { why: 1 } })
    expect(places([new Map([['k', { v: 1 }]]), new Set(['s']), error])).toEqual([
      '',
      '/0',
      '/0/0',
      '/0/1',
      '/0/1/v',
      '/1',
      '/1/0',
      '/2',
      '/2/message',
      '/2/cause',
      '/2/cause/why',
    ])
  })

  it('visits shared objects and cycles once', () => {
    const cycle: { self?: object; other: object } = { other: {} }
    cycle.self = cycle
    expect(places([cycle, cycle.other, cycle])).toEqual(['', '/0', '/0/other'])
    expect(new Set(places(dag(1000))).size).toBe(1002)
  })

  it('runs no getter', () => {
    const value = Object.defineProperty({ a: 1 }, 'b', { enumerable: true, get: () => expect.unreachable() })
    expect(places(value)).toEqual(['', '/a', '/b'])
  })

  it('stops at its limit and reports that', () => {
    const walk = new ValueWalk([1, 2, 3, 4], { limit: 3 })
    expect([[...walk].length, walk.visited, walk.isComplete]).toEqual([3, 3, false])
    const whole = new ValueWalk([1, 2], { limit: 3 })
    expect([[...whole].length, whole.isComplete]).toEqual([3, true])
    const texts = new ValueWalk(['x'.repeat(10_000), 'y'], { limit: 10 })
    expect([[...texts].length, texts.isComplete]).toEqual([1, false])
  })

  it('does not visit the members of what it does not enter', () => {
    const walk = new ValueWalk({ a: { b: 1 }, c: 2 }, { enters: (_, { key }) => key !== 'a' })
    expect([...walk].map(pointerTo)).toEqual(['', '/a', '/c'])
  })

  it('walks a chain of 1,000,000 objects and a record of 300,000 keys', () => {
    expect([...new ValueWalk(chain(1_000_000))].length).toBe(1_000_002)
    const wide = Object.fromEntries(Array.from({ length: 300_000 }, (_, at) => [`k${at}`, { at }]))
    expect([...new ValueWalk(wide)].length).toBe(600_001)
  })
})
