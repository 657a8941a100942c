// The filters `match` and `imatch`, on an engine whose time grows only with the text's length.
import { RE2JS, RE2JSException } from 're2js'
import type { Condition } from './filters.ts'
import type { Row } from './table-shape.ts'

/** PostgreSQL's own engine needs many seconds for some short patterns and can't be stopped. */
const LARGEST_PROGRAM = 300
/**
 * What a pattern may spend on the changes of one batch, in steps of its program times characters: a tenth of a second
 * at most, in which nobody else is served. Steps are counted, since a limit in time would depend on the machine.
 */
const MOST_STEPS = 7_000_000

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

/** Rows of one batch are tried with it one after the other; `failed` once the steps for the batch are spent. */
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
