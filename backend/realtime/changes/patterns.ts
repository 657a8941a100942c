// The filters `match` and `imatch`, on an engine whose time grows only with the text's length.
import { RE2JS, RE2JSException } from 're2js'
import type { Condition } from './filters.ts'
import type { Row } from './table-shape.ts'

/** PostgreSQL's own engine needs many seconds for some short patterns and can't be stopped. */
const LARGEST_PROGRAM = 300
/** Steps of the program times characters: a tenth of a second, in which nobody else is served. */
const MOST_STEPS = 7_000_000
/** What a pattern may spend on the changes of one batch. */
const PATTERN_MS = 50

const compiled = new WeakMap<Condition, RE2JS>()

/** Compiles the pattern of a condition; throws with the engine's words for it. */
export function compilePattern(condition: Condition, ignoreCase = condition.operator === 'imatch'): RE2JS {
  const known = compiled.get(condition)
  if (known) return known
  const pattern = RE2JS.compile(condition.value, RE2JS.DOTALL | (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0))
  if (pattern.programSize() > LARGEST_PROGRAM) throw new RE2JSException('the pattern is too large')
  compiled.set(condition, pattern)
  return pattern
}

/** When a pattern that starts now must have answered for all rows of its batch. */
export const patternTime = () => performance.now() + PATTERN_MS

/** Whether a row satisfies a condition; `failed` where that takes too long. */
export function matchRow(condition: Condition, row: Row, end: number): boolean | 'failed' {
  const pattern = compilePattern(condition)
  const value = row[condition.column]
  if (typeof value !== 'string') return false
  if (performance.now() > end || value.length * pattern.programSize() > MOST_STEPS) return 'failed'
  return pattern.matcher(value).find() !== condition.negated
}
