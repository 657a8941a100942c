// Reads assertions from plain data, such as a JSON file; each problem is reported with its path.
import { check, type Check, list, object, oneOf, optional, type Problem, type Tell, value } from './shape.ts'
import type { Assertion } from './language.ts'
import { readPath } from './compare.ts'
import { milliseconds } from './values.ts'

/** Outcome of `readAssertions`: the assertions, or the problems of the text. */
export type ReadAssertions =
  | { readonly kind: 'assertions'; readonly assertions: readonly Assertion[] }
  | { readonly kind: 'unusable'; readonly problems: readonly Problem[] }

const isScalar = (one: unknown) => one === null || ['string', 'number', 'boolean'].includes(typeof one)
const isObject = (one: unknown): one is object =>
  typeof one === 'object' && one !== null && !Array.isArray(one)

const text = value(one => typeof one === 'string' && one !== '', 'a string')
const wholeNumber = value(
  one => typeof one === 'number' && Number.isInteger(one) && one >= 0,
  'a whole number',
)
const flag = value(one => typeof one === 'boolean', 'true or false')
const scalar = value(isScalar, 'a string, a number, true, false or null')

const several =
  (one: Check): Check =>
  (wanted, at, report) =>
    Array.isArray(wanted) ? list(one, 1)(wanted, at, report) : one(wanted, at, report)

const glob = several(text)

const path = value(
  one => typeof one === 'string' && readPath(one) !== undefined,
  'a path that begins with actor, src, context, event, output, error, status, state, children, from, t or seq, or with parent. or was. before these',
)
const ref: Check = object({ ref: path }, 'a reference')
const orRef =
  (one: Check): Check =>
  (wanted, at, report) =>
    isObject(wanted) ? ref(wanted, at, report) : one(wanted, at, report)
const number = value(one => typeof one === 'number', 'a number')

const operators = object(
  {
    is: optional(orRef(scalar)),
    isNot: optional(orRef(scalar)),
    above: optional(orRef(number)),
    atLeast: optional(orRef(number)),
    below: optional(orRef(number)),
    atMost: optional(orRef(number)),
    oneOf: optional(list(scalar, 1)),
    noneOf: optional(list(scalar, 1)),
    like: optional(glob),
    exists: optional(flag),
  },
  'a comparison',
)
const comparison: Check = (wanted, at, report) =>
  isScalar(wanted) ? undefined : operators(wanted, at, report)

const comparisons: Check = (wanted, at, report) => {
  if (!isObject(wanted)) return report(at, 'must be comparisons by path, e.g. {"attempt": {"above": 3}}')
  for (const [name, one] of Object.entries(wanted)) comparison(one, `${at}.${name}`, report)
}

const lazily =
  (of: () => Check): Check =>
  (wanted, at, report) =>
    of()(wanted, at, report)

const actor: Check = lazily(() => actorPattern)
const pattern: Check = lazily(() => stepPattern)

const standing = {
  actor: optional(glob),
  src: optional(glob),
  status: optional(several(oneOf('active', 'done', 'error', 'stopped'))),
  state: optional(glob),
  context: optional(comparisons),
  children: optional(comparison),
  root: optional(flag),
  ended: optional((wanted: unknown, at: string, report: Tell) =>
    wanted === 'earlier' ? undefined : flag(wanted, at, report),
  ),
  parent: optional(actor),
  some: optional(actor),
}

const actorPattern = object(
  { ...standing, all: optional(list(actor, 1)), any: optional(list(actor, 1)), not: optional(actor) },
  'an actor pattern',
)

const key = path

/** One value for both, or one for each. */
const pair =
  (one: Check): Check =>
  (wanted, at, report) => {
    if (!Array.isArray(wanted)) return one(wanted, at, report)
    list(one, 2)(wanted, at, report)
    if (wanted.length > 2) report(at, 'must be one path or two')
  }

const spans: readonly Check[] = [
  object({ life: actor }, 'a span'),
  object({ during: actor }, 'a span'),
  object({ from: pattern, to: pattern, by: optional(pair(key)) }, 'a span'),
]
const span: Check = (wanted, at, report) => {
  const kind = isObject(wanted)
    ? ['life', 'during', 'from'].findIndex(word => Object.hasOwn(wanted, word))
    : -1
  const shape = spans[kind]
  if (shape) shape(wanted, at, report)
  else report(at, 'must be a span: {"life": …}, {"during": …} or {"from": …, "to": …}')
}

const inside: Check = (wanted, at, report) =>
  isObject(wanted) && Object.hasOwn(wanted, 'span')
    ? object({ span, by: key }, 'a span with a key')(wanted, at, report)
    : span(wanted, at, report)

const stepPattern = object(
  {
    ...standing,
    event: optional(glob),
    with: optional(comparisons),
    from: optional(glob),
    entered: optional(glob),
    left: optional(glob),
    was: optional(actor),
    output: optional(comparisons),
    error: optional(comparisons),
    first: optional(flag),
    changed: optional(flag),
    via: optional(glob),
    inside: optional(inside),
    happened: optional(object({ step: pattern, during: optional(span) }, 'something that happened')),
    all: optional(list(pattern, 1)),
    any: optional(list(pattern, 1)),
    not: optional(pattern),
  },
  'a step pattern',
)

const time = value(
  one => (typeof one === 'number' || typeof one === 'string') && milliseconds(one) !== undefined,
  'milliseconds, or text such as "250 ms", "30 s", "5 min", "2 h"',
)
const within: Check = (wanted, at, report) => {
  if (!isObject(wanted)) return time(wanted, at, report)
  const shape: Check = Object.hasOwn(wanted, 'steps')
    ? object({ steps: wholeNumber }, 'a duration')
    : object({ awake: time }, 'a duration')
  shape(wanted, at, report)
}

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
