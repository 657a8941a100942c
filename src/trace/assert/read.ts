// Reads assertions from plain data, such as a JSON file; each problem is reported with its path.
import { check, list, object, oneOf, optional, type Check, type Problem } from './shape.ts'
import type { Assertion } from './formulas.ts'
import { key, pair, pattern, span, text, within, wholeNumber } from './read-patterns.ts'

/** Outcome of `readAssertions`: the assertions, or the problems of the text. */
export type ReadAssertions =
  | { readonly kind: 'assertions'; readonly assertions: readonly Assertion[] }
  | { readonly kind: 'unusable'; readonly problems: readonly Problem[] }

const telling = { says: optional(text), about: optional(oneOf('actor', 'parent', 'root')) }
const inner: Check = (value, at, report) => formula(value, at, report)

/** The schema of each kind of formula by its keyword. */
const KINDS: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  always: { always: pattern, where: optional(pattern) },
  never: { never: pattern },
  eventually: { eventually: pattern, within: optional(within) },
  precedes: { precedes: pattern, before: pattern, by: optional(pair(key)) },
  responds: {
    responds: pattern,
    to: pattern,
    within: optional(within),
    by: optional(pair(key)),
    unless: optional(pattern),
  },
  after: { after: pattern, until: optional(pattern), holds: inner },
  each: { each: key, of: optional(pattern), holds: inner },
  atMost: { atMost: wholeNumber, of: span },
  closes: { closes: span, within: optional(within), unless: optional(pattern) },
  alternates: { alternates: span },
  calms: { calms: span, within, stirredBy: optional(pattern), pausedWhile: optional(span) },
  count: { count: pattern, least: optional(wholeNumber), most: optional(wholeNumber) },
  atRest: { atRest: pattern, when: pattern },
  all: { all: list(inner, 1) },
  any: { any: list(inner, 1) },
  not: { not: inner },
}

const formula: Check = (value, at, report) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return report(at, `must be a formula, e.g. {"never": {"state": "failed"}}, not ${kindOf(value)}`)
  const kind = Object.keys(KINDS).find(word => Object.hasOwn(value, word))
  const fields = kind === undefined ? undefined : KINDS[kind]
  if (fields) return object({ ...fields, ...telling }, `the formula "${kind}"`)(value, at, report)
  // A keyword may be misspelled: the nearest one is suggested.
  const words = Object.fromEntries(Object.keys(KINDS).map(word => [word, optional(() => {})]))
  object({ ...words, ...telling }, 'a formula')(value, at, report)
  if (Object.keys(value).every(name => Object.hasOwn(telling, name)))
    report(at, `contains no formula: it needs one of ${Object.keys(KINDS).join(', ')}`)
}

const kindOf = (value: unknown) =>
  value === null ? 'null' : Array.isArray(value) ? 'a list' : `a ${typeof value}`

const named = object({ name: text, says: optional(text), check: formula }, 'an assertion')

/**
 * Reads a list of assertions, each `{ name, check, says? }`, or an object with such a list under
 * `assertions`. If anything is invalid, nothing is used.
 */
export function readAssertions(value: unknown): ReadAssertions {
  const isHeld = typeof value === 'object' && value !== null && Object.hasOwn(value, 'assertions')
  const held: unknown = isHeld ? (value as { assertions: unknown }).assertions : value
  const problems = check(list(named, 1), held, isHeld ? '$.assertions' : '$')
  if (problems.length === 0) problems.push(...repeated(held as readonly Assertion[]))
  if (problems.length > 0) return { kind: 'unusable', problems }
  return { kind: 'assertions', assertions: held as readonly Assertion[] }
}

/** Whether an exported value is an assertion; its formula may contain code, and is not validated here. */
export const isAssertion = (value: unknown): value is Assertion =>
  typeof value === 'object' &&
  value !== null &&
  typeof Reflect.get(value, 'name') === 'string' &&
  ['object', 'function'].includes(typeof Reflect.get(value, 'check'))

function repeated(assertions: readonly Assertion[]): Problem[] {
  const names = assertions.map(({ name }) => name)
  return names.flatMap((name, index) =>
    names.indexOf(name) === index
      ? []
      : [{ at: `$[${index}].name`, message: `"${name}" is already the name of another assertion` }],
  )
}
