// Formats patterns, spans and formulas as text, for failures and reports.
import type {
  ActorPattern,
  Comparison,
  Comparisons,
  Formula,
  Glob,
  Pattern,
  Ref,
  Scalar,
  Span,
  StepPattern,
} from './language.ts'
import { describeWithin } from './deadline.ts'

const names = (globs: Glob) => (typeof globs === 'string' ? globs : globs.join(' or '))
const valueInWords = (value: Scalar | Ref): string =>
  typeof value === 'object' && value !== null ? value.ref : JSON.stringify(value)

const OPERATOR_WORDS = {
  is: 'is',
  isNot: 'is not',
  above: 'is above',
  atLeast: 'is at least',
  below: 'is below',
  atMost: 'is at most',
  oneOf: 'is one of',
  noneOf: 'is none of',
  like: 'is like',
  exists: 'exists',
} as const

function comparisonInWords(part: string, wanted: Comparison): string {
  if (typeof wanted !== 'object' || wanted === null) return `${part} is ${valueInWords(wanted)}`
  return Object.entries(wanted)
    .map(([name, value]) => {
      if (name === 'exists') return value === true ? `${part} exists` : `${part} does not exist`
      const words = OPERATOR_WORDS[name as keyof typeof OPERATOR_WORDS]
      const list = Array.isArray(value) ? (value as Scalar[]).map(valueInWords).join(', ') : undefined
      return `${part} ${words} ${list ?? valueInWords(value as Scalar | Ref)}`
    })
    .join(' and ')
}

const comparisonsInWords = (root: string, wanted: Comparisons | undefined): string[] =>
  Object.entries(wanted ?? {}).map(([path, one]) =>
    comparisonInWords(path === '' ? root : `${root}.${path}`, one),
  )

/** Formats a pattern, e.g. `session takes session.signOut, in authenticated`. */
export function describePattern(pattern: Pattern | ActorPattern): string {
  if (typeof pattern === 'function') return pattern.name || 'a custom pattern'
  const wanted: StepPattern = pattern
  const { actor, src, event, first, status, state, entered, left, from, via, changed } = wanted
  const named = [actor, src].flatMap(one => (one === undefined ? [] : names(one)))
  const who = [...(wanted.root ? ['the root'] : []), ...named].join(', a ')
  const parts = [
    first === undefined ? '' : first ? 'begins' : 'continues',
    event === undefined ? '' : `takes ${names(event)}`,
    from === undefined ? '' : `from ${names(from)}`,
    entered === undefined ? '' : `enters ${names(entered)}`,
    left === undefined ? '' : `leaves ${names(left)}`,
    state === undefined ? '' : `in ${names(state)}`,
    status === undefined ? '' : `is ${names(status)}`,
    changed === undefined ? '' : changed ? 'changes' : 'changes nothing',
    via === undefined ? '' : `via ${names(via)}`,
    ...comparisonsInWords('event', wanted.with),
    ...comparisonsInWords('context', wanted.context),
    ...comparisonsInWords('output', wanted.output),
    ...comparisonsInWords('error', wanted.error),
    wanted.children === undefined ? '' : comparisonInWords('its number of actors', wanted.children),
    wanted.root === false ? 'is not the root' : '',
    wanted.ended === undefined ? '' : wanted.ended ? 'has ended' : 'has not ended',
    wanted.was ? `was (${describePattern(wanted.was)})` : '',
    wanted.parent ? `has the parent (${describePattern(wanted.parent)})` : '',
    wanted.some ? `while some actor is (${describePattern(wanted.some)})` : '',
    wanted.inside ? `between ${insideInWords(wanted.inside)}` : '',
    wanted.happened ? `after (${describePattern(wanted.happened.step)})` : '',
    ...(wanted.all?.map(describePattern) ?? []),
    wanted.any ? `(${wanted.any.map(describePattern).join(' or ')})` : '',
    wanted.not ? `not (${describePattern(wanted.not)})` : '',
  ].filter(Boolean)
  return [who, parts.join(', ')].filter(Boolean).join(' ') || 'any step'
}

function insideInWords(inside: NonNullable<StepPattern['inside']>): string {
  return spanInWords('span' in inside ? inside.span : inside)
}

function spanInWords(span: Span): string {
  if ('life' in span) return `beginning and end of (${describePattern(span.life)})`
  if ('during' in span) return `beginning and end of (${describePattern(span.during)})`
  return `(${describePattern(span.from)}) and (${describePattern(span.to)})`
}

/** Formats a span by what opens it. */
export function describeOpenedSpan(span: Span): string {
  if ('life' in span) return describePattern(span.life)
  return describePattern('during' in span ? span.during : span.from)
}

/** Formats a formula. */
export function describeFormula(formula: Formula): string {
  const words = describePattern
  if ('always' in formula) {
    const where = formula.where === undefined ? '' : `, where (${words(formula.where)})`
    return `always (${words(formula.always)})${where}`
  }
  if ('never' in formula) return `never (${words(formula.never)})`
  if ('eventually' in formula)
    return `eventually (${words(formula.eventually)})${describeWithin(formula.within)}`
  if ('precedes' in formula) return `(${words(formula.precedes)}) before (${words(formula.before)})`
  if ('responds' in formula)
    return `(${words(formula.to)}) is followed by (${words(formula.responds)})${describeWithin(formula.within)}`
  if ('after' in formula) {
    const until = formula.until === undefined ? '' : ` until (${words(formula.until)})`
    return `after (${words(formula.after)})${until}: ${describeFormula(formula.holds)}`
  }
  if ('atMost' in formula) return `at most ${formula.atMost} at once of (${describeOpenedSpan(formula.of)})`
  if ('closes' in formula || 'calms' in formula) {
    const span = 'closes' in formula ? formula.closes : formula.calms
    return `(${describeOpenedSpan(span)}) ends${describeWithin(formula.within)}`
  }
  if ('alternates' in formula) return `(${describeOpenedSpan(formula.alternates)}) begins and ends in turn`
  if ('count' in formula) {
    const bounds = [
      formula.least === undefined ? '' : ` at least ${formula.least} times`,
      formula.most === undefined ? '' : ` at most ${formula.most} times`,
    ]
    return `(${words(formula.count)})${bounds.filter(Boolean).join(' and')}`
  }
  if ('atRest' in formula) return `when (${words(formula.when)}) then at rest (${words(formula.atRest)})`
  if ('each' in formula) {
    const key = typeof formula.each === 'string' ? formula.each : formula.each.name || 'key'
    return `for each ${key}: ${describeFormula(formula.holds)}`
  }
  if ('all' in formula) return formula.all.map(describeFormula).join(' and ')
  if ('any' in formula) return formula.any.map(describeFormula).join(' or ')
  if ('not' in formula) return `not (${describeFormula(formula.not)})`
  return 'a custom check'
}
