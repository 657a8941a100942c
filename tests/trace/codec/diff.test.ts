// Differences of plain values by path.
import { expect, test } from 'vitest'
import { changedPaths, diffValues } from '../../../src/trace/diff.ts'
import { hashText } from '../../../src/trace/codec/hash.ts'

test.each([
  ['nothing', { a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }, {}],
  ['a changed value', { a: { b: 1 } }, { a: { b: 2 } }, { updated: { '/a/b': [1, 2] } }],
  [
    'added and removed keys',
    { a: 1, b: undefined },
    { b: undefined, c: 2 },
    { added: { '/c': 2 }, removed: { '/a': 1 } },
  ],
  ['a longer list', [1], [1, 2], { added: { '/1': 2 } }],
  ['another kind', { a: [] }, { a: {} }, { updated: { '/a': [[], {}] } }],
  ['the whole', 'a', null, { updated: { '': ['a', null] } }],
  ['keys with separators', { 'a/b~c': 1 }, { 'a/b~c': 2 }, { updated: { '/a~1b~0c': [1, 2] } }],
  [
    'maps by key, sets by place',
    [new Map([['k', 1]]), new Set([1])],
    [new Map([['k', 2]]), new Set([2])],
    { updated: { '/0/k': [1, 2], '/1/0': [1, 2] } },
  ],
  [
    'dates',
    { at: new Date(1), same: new Date(2) },
    { at: new Date(3), same: new Date(2) },
    { updated: { '/at': [new Date(1), new Date(3)] } },
  ],
  ['errors', new Error('a'), new Error('b'), { updated: { '/message': ['a', 'b'] } }],
  ['NaN and zeros', [Number.NaN, 0], [Number.NaN, -0], { updated: { '/1': [0, -0] } }],
])('%s', (_name, before, after, expected) => {
  expect(diffValues(before, after)).toEqual({
    added: {},
    removed: {},
    updated: {},
    truncated: false,
    ...expected,
  })
})

test('stops at the limit and reports it', () => {
  const many = (offset: number) => Array.from({ length: 10 }, (_, at) => at + offset)
  const diff = diffValues(many(0), many(1), 3)
  expect(changedPaths(diff)).toEqual(['/0', '/1', '/2'])
  expect(diff.truncated).toBe(true)
})

test('does not compare identical objects in depth', () => {
  const shared = Object.defineProperty({}, 'trap', {
    enumerable: true,
    get: () => {
      throw new Error('looked into')
    },
  })
  expect(diffValues({ shared, a: 1 }, { shared, a: 2 }).updated).toEqual({ '/a': [1, 2] })
})

test('hashes are stable, chain, and differ where texts do', () => {
  expect(hashText('')).toBe(hashText(''))
  expect(hashText('chartroom')).toMatch(/^[0-9a-f]{16}$/)
  expect(hashText('b', hashText('a'))).not.toBe(hashText('a', hashText('b')))
  const texts = Array.from({ length: 20_000 }, (_, at) => `{"n":${at}}`)
  expect(new Set(texts.map(text => hashText(text))).size).toBe(texts.length)
})
