// The filters `match` and `imatch`, on an engine whose time grows only with the text's length.
import { RE2JS, RE2JSException } from 're2js'
import type { Condition } from './filters.ts'
import type { Row } from './table-shape.ts'

/** PostgreSQL's engine needs many seconds for some short patterns and can't be stopped. */
const LONGEST_PATTERN = 256
/** What a pattern may spend on the changes of one batch. */
const PATTERN_MS = 50

const compiled = new WeakMap<Condition, RE2JS>()

/** Compiles the pattern of a condition; throws with the engine's words for it. */
export function compilePattern(condition: Condition, ignoreCase = condition.operator === 'imatch'): RE2JS {
  const known = compiled.get(condition)
  if (known) return known
  if (condition.value.length > LONGEST_PATTERN) {
    throw new RE2JSException(`a pattern has at most ${LONGEST_PATTERN} characters`)
  }
  const pattern = RE2JS.compile(condition.value, RE2JS.DOTALL | (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0))
  compiled.set(condition, pattern)
  return pattern
}

/** Which of some rows satisfy a condition; throws when it takes too long. */
export function matchRows(condition: Condition, rows: readonly (Row | undefined)[]): boolean[] {
  const pattern = compilePattern(condition)
  const end = performance.now() + PATTERN_MS
  return rows.map(row => {
    const value = row?.[condition.column]
    if (typeof value !== 'string') return false
    if (performance.now() > end) throw new RE2JSException('the pattern takes too long')
    return pattern.matcher(value).find() !== condition.negated
  })
}
