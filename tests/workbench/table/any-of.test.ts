// PostgREST takes a list of one empty text for a list of none: a row with such a key is found by equality.
import { expect, test } from 'vitest'
import { anyOf } from '../../../src/services/workbench/table/table-query.ts'

test.each([
  { values: [''], condition: 'eq.' },
  { values: ['a'], condition: 'in.("a")' },
  { values: ['', 'a'], condition: 'in.("","a")' },
  { values: ['a"b\\'], condition: String.raw`in.("a\"b\\")` },
])('$condition', ({ values, condition }) => {
  expect(anyOf(values)).toBe(condition)
})
