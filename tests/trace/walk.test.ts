// The walker of values: each object once, without recursion, up to a limit; and the mapping form of it.
import { describe, expect, it } from 'vitest'
import { type Copying, mapValue, Replaced } from '../../src/trace/codec/map-value.ts'
import { pointerTo, ValueWalk } from '../../src/trace/codec/walk.ts'
import { setOwn } from '../../src/trace/codec/values.ts'

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

/** Replaces texts by their length, below a context by stars. */
function lengths(value: unknown, context: string): Replaced | Copying<string> {
  if (typeof value === 'string') return new Replaced(context === 'secret' ? '***' : value.length)
  if (typeof value !== 'object' || value === null) return new Replaced(value)
  const keys = Object.keys(value)
  const members = Object.values(value)
  return {
    members,
    contexts: keys.map(key => (key === 'secret' ? 'secret' : context)),
    create: () => (Array.isArray(value) ? [] : {}),
    fill: (copy, items) => {
      for (const [at, key] of keys.entries()) setOwn(copy as Record<string, unknown>, key, items[at])
    },
  }
}

describe('mapping', () => {
  it('replaces members, and keeps what contains none of them', () => {
    const same = { n: 1, list: [2] }
    const mapped = mapValue({ a: 'abc', same, secret: { b: 'abc' } }, '', lengths)
    expect(mapped).toEqual({ a: 3, same: { n: 1, list: [2] }, secret: { b: '***' } })
    expect((mapped as { same: unknown }).same).toBe(same)
    expect(mapValue(same, '', lengths)).toBe(same)
    expect(mapValue('abc', '', lengths)).toBe(3)
  })

  it('maps an object once for each context', () => {
    const shared = { text: 'abc' }
    expect(mapValue({ a: shared, secret: shared, b: shared }, '', lengths)).toEqual({
      a: { text: 3 },
      secret: { text: '***' },
      b: { text: 3 },
    })
  })

  it('preserves sharing and cycles', () => {
    interface Knot {
      text: string
      other: { back?: Knot }
      twin?: object
      free: object
    }
    const free: { self?: object } = {}
    free.self = free
    const knot: Knot = { text: 'abc', other: {}, free }
    knot.other.back = knot
    knot.twin = knot.other
    const mapped = mapValue(knot, '', lengths) as Knot
    expect(mapped.text).toBe(3)
    expect(mapped.other.back).toBe(mapped)
    expect(mapped.twin).toBe(mapped.other)
    expect(mapped.free).toBe(free)
    expect(knot.text).toBe('abc')
  })

  it('visits in the order of the members', () => {
    const order: unknown[] = []
    mapValue({ a: { b: 'x' }, c: 'y' }, '', (value, context) => {
      order.push(value)
      return lengths(value, context)
    })
    expect(order).toEqual([{ a: { b: 'x' }, c: 'y' }, { b: 'x' }, 'x', 'y'])
  })

  it('maps a graph of 10,000 levels and a chain of 1,000,000 objects', () => {
    let mapped = mapValue(dag(10_000), '', lengths) as { left?: object; right?: object; end?: number }
    let levels = 0
    while (mapped.left) {
      expect(mapped.left === mapped.right).toBe(true)
      mapped = mapped.left
      levels += 1
    }
    expect([levels, mapped.end]).toEqual([10_000, 1])
    const long = chain(1_000_000)
    expect(mapValue(long, '', lengths)).toBe(long)
  })
})
