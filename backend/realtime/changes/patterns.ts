// The filters `match` and `imatch`, on an engine whose run time is linear in the text's length.
import { RE2JS, RE2JSException } from 're2js'
import type { Condition } from './filters.ts'
import type { Row } from './table-shape.ts'

/** PostgreSQL's own engine takes many seconds for some short patterns and can't be interrupted. */
const LARGEST_PROGRAM = 300
/**
 * The budget of a pattern for the changes of one batch, in steps (program size times characters): at most a
 * tenth of a second, during which all other work is blocked. Steps are counted because a time limit would
 * depend on the machine.
 */
const MOST_STEPS = 7_000_000

const compiled = new WeakMap<Condition, RE2JS>()

/** Compiles the pattern of a condition; throws the engine's error. */
export function compilePattern(condition: Condition, ignoreCase = condition.operator === 'imatch'): RE2JS {
  const known = compiled.get(condition)
  if (known) return known
  const pattern = RE2JS.compile(condition.value, RE2JS.DOTALL | (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0))
  if (pattern.programSize() > LARGEST_PROGRAM) throw new RE2JSException('the pattern is too large')
  compiled.set(condition, pattern)
  return pattern
}

/** Tests the rows of one batch in sequence; returns `failed` once the batch's budget is used up. */
export function createRowMatcher(condition: Condition): (row: Row) => boolean | 'failed' {
  const pattern = compilePattern(condition)
  let left = MOST_STEPS
  return row => {
    const value = row[condition.column]
    if (typeof value !== 'string') return false
    left -= value.length * pattern.programSize()
    return left < 0 ? 'failed' : pattern.matcher(value).find() !== condition.negated
  }
}
