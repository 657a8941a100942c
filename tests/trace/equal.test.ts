// Comparing plain data, and names.
import { expect, test } from 'vitest'
import { editDistance } from '../../src/trace/index.ts'
import { isEqual } from '../../src/trace/equal.ts'

test.each([
  [1, 1, true],
  [Number.NaN, Number.NaN, true],
  [0, -0, false],
  ['a', 'b', false],
  [null, {}, false],
  [undefined, null, false],
  [{ a: 1, b: [2, { c: 3 }] }, { b: [2, { c: 3 }], a: 1 }, true],
  [{ a: undefined }, {}, false],
  [{ a: undefined }, { b: undefined }, false],
  [[1, 2], [1, 2, 3], false],
  [[], {}, false],
  [{ length: 0 }, [], false],
  [new Date(0), new Date(0), false],
  [new Map(), new Map(), false],
  [Object.create({ inherited: 1 }), {}, false],
])('%j and %j: %s', (a, b, expected) => {
  expect([isEqual(a, b), isEqual(b, a)]).toEqual([expected, expected])
})

test('objects that are not plain are equal only if they are identical, unless the caller compares them', () => {
  const date = new Date(0)
  expect(isEqual([date], [date])).toBe(true)
  expect(isEqual([date], [new Date(0)], (a, b) => a instanceof Date && b instanceof Date)).toBe(true)
})

test.each([
  ['', '', 0],
  ['', 'abc', 3],
  ['session', 'session', 0],
  ['sesion', 'session', 1],
  ['sessoin', 'session', 1],
  ['kitten', 'sitting', 3],
])('from %j to %j: %i', (a, b, expected) => {
  expect([editDistance(a, b), editDistance(b, a)]).toEqual([expected, expected])
})
