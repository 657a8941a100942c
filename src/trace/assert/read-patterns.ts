// The schema of patterns, spans, keys and deadlines in plain data.
import { readPath } from './compare.ts'
import { list, object, oneOf, optional, value, type Check, type Tell } from './shape.ts'
import { milliseconds } from './values.ts'

const isScalar = (one: unknown) => one === null || ['string', 'number', 'boolean'].includes(typeof one)
const isObject = (one: unknown): one is object =>
  typeof one === 'object' && one !== null && !Array.isArray(one)

export const text = value(one => typeof one === 'string' && one !== '', 'a string')
export const wholeNumber = value(
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
/** A step pattern. */
export const pattern: Check = lazily(() => stepPattern)

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

/** A grouping key. */
export const key = path

/** One value for both, or one for each. */
export const pair =
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
/** A span. */
export const span: Check = (wanted, at, report) => {
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
/** A duration. */
export const within: Check = (wanted, at, report) => {
  if (!isObject(wanted)) return time(wanted, at, report)
  const shape: Check = Object.hasOwn(wanted, 'steps')
    ? object({ steps: wholeNumber }, 'a duration')
    : object({ awake: time }, 'a duration')
  shape(wanted, at, report)
}
