// The column storage of records: what is written is read back across chunk boundaries, and nothing is shared
// wrongly.
import { expect, test } from 'vitest'
import { Rows } from '../../src/services/recording/rows.ts'
import { createStateValues, sameState } from '../../src/services/recording/actor-viewer.ts'
import { createTags } from '../../src/services/recording/actor-registry.ts'

test('rows read back as written, also where reading keeps up with writing', () => {
  const rows = new Rows(2, 1)
  const read: unknown[] = []
  const write = (n: number) => {
    const { refs, numbers } = rows.begin()
    refs[rows.at * 2] = `row ${n}`
    refs[rows.at * 2 + 1] = undefined
    numbers[rows.at] = n
  }
  const take = () => {
    const { refs = [], numbers = [] } = rows.take() ?? {}
    read.push([refs[rows.at * 2], refs[rows.at * 2 + 1], numbers[rows.at]])
  }
  const count = 6000
  for (let n = 0; n < count; n++) {
    write(n)
    if (n % 100 === 99 && n < 3000) for (let row = 0; row < 100; row++) take()
  }
  while (read.length < count) take()
  expect(read).toEqual(Array.from({ length: count }, (_, n) => [`row ${n}`, undefined, n]))
})

test('equal state values are shared, different ones are not', () => {
  const shared = createStateValues()
  const first = shared({ cart: 'idle', feed: { on: 'waiting' } })
  expect(shared({ cart: 'idle', feed: { on: 'waiting' } })).toBe(first)
  const others = [
    { cart: 'idle' },
    { feed: { on: 'waiting' } },
    { cart: 'idle', feed: 'on' },
    { cart: 'idle', feed: { on: 'waiting', more: {} } },
    { cart: { idle: 'feed' } },
    {},
  ]
  expect(others.map(shared)).toEqual(others)
  expect(new Set(others.map(shared)).size).toBe(others.length)
  expect(sameState({ a: 'x', b: 'y' }, shared({ b: 'y', a: 'x' }))).toBe(true)
})

test('a machine with very many states keeps its values, shared or not', () => {
  const shared = createStateValues()
  const values = Array.from({ length: 5000 }, (_, n) => ({ region: `state ${n}` }))
  expect(values.map(shared)).toEqual(values)
})

test('each owner finds its own tag and no other owner sees it', () => {
  const [one, other] = [createTags<{ name: string }>(), createTags<{ name: string }>()]
  const object = Object.freeze({ field: 1 })
  expect([one.find(object), other.find(object)]).toEqual([undefined, undefined])
  one.tag(object, { name: 'one' })
  other.tag(object, { name: 'other' })
  expect([one.find(object), other.find(object)]).toEqual([{ name: 'one' }, { name: 'other' }])
  one.tag(object, { name: 'again' })
  expect([one.find(object), other.find(object)]).toEqual([{ name: 'again' }, { name: 'other' }])
  expect(Reflect.ownKeys(object)).toEqual(['field'])
})
