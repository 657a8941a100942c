// The filters `match` and `imatch`, on an engine whose run time is linear in the text's length.
import { RE2JS, RE2JSException } from 're2js'
import type { Condition } from './filters.ts'
import type { Row } from './table-shape.ts'

/** PostgreSQL's own engine takes many seconds for some short patterns and can't be interrupted. */
const LARGEST_PROGRAM = 300
/**
 * Steps (program size times characters) that one row may take: about 10 ms, during which all other work is blocked.
 * Each row counts alone. A limit for several rows together would depend on hidden rows, which decide where a batch
 * ends; a limit in time would depend on the machine.
 */
const MOST_STEPS = 700_000

const compiled = new WeakMap<Condition, RE2JS>()

/** Compiles the pattern of a condition; throws the engine's error. */
export function compilePattern(condition: Condition, ignoreCase = condition.operator === 'imatch'): RE2JS {
  const matcher = compiled.get(condition)
  if (matcher) return matcher
  const pattern = RE2JS.compile(condition.value, RE2JS.DOTALL | (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0))
  if (pattern.programSize() > LARGEST_PROGRAM) throw new RE2JSException('the pattern is too large')
  compiled.set(condition, pattern)
  return pattern
}

/** Tests whether a row satisfies a condition; returns `failed` if that would take too long. */
export function matchRow(condition: Condition, row: Row): boolean | 'failed' {
  const pattern = compilePattern(condition)
  const value = row[condition.column]
  if (typeof value !== 'string') return false
  if (value.length * pattern.programSize() > MOST_STEPS) return 'failed'
  return pattern.matcher(value).find() !== condition.negated
}
