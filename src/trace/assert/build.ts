// Functions that create assertions as plain data.
import type {
  After,
  All,
  Alternates,
  Always,
  Any,
  Assertion,
  AtMost,
  AtRest,
  Calms,
  Closes,
  Count,
  Each,
  Eventually,
  Formula,
  Key,
  Never,
  Not,
  Pattern,
  Precedes,
  Responds,
  Span,
  Watched,
  Within,
} from './language.ts'
import type { Watch } from './monitor.ts'

type Rest<F extends Formula, K extends PropertyKey> = Omit<F, K>

/** Names a formula. */
export const assertion = (name: string, check: Assertion['check'], says?: string): Assertion => ({
  name,
  ...(says !== undefined && { says }),
  check,
})

/** Every step matches; with `where`, every step that matches `where`. */
export const always = (pattern: Pattern, rest: Rest<Always, 'always'> = {}): Always => ({
  always: pattern,
  ...rest,
})

/** No step matches. */
export const never = (pattern: Pattern, rest: Rest<Never, 'never'> = {}): Never => ({
  never: pattern,
  ...rest,
})

/** A matching step occurs, within the deadline if there is one. */
export const eventually = (pattern: Pattern, rest: Rest<Eventually, 'eventually'> = {}): Eventually => ({
  eventually: pattern,
  ...rest,
})

/**
 * No `then` occurs before a `first`; with `by`, separately for each key. A step that matches both is valid.
 */
export const precedes = (
  first: Pattern,
  then: Pattern,
  rest: Rest<Precedes, 'precedes' | 'before'> = {},
): Precedes => ({ precedes: first, before: then, ...rest })

/**
 * Every `asked` is followed by an `answer` (or matches it itself) within the deadline; with `by`, by one of
 * the same key.
 */
export const responds = (
  asked: Pattern,
  answer: Pattern,
  rest: Rest<Responds, 'responds' | 'to'> = {},
): Responds => ({ responds: answer, to: asked, ...rest })

/**
 * From the step after a matching one up to the step before `until`, the inner formula is true; checked
 * separately each time.
 */
export const after = (
  pattern: Pattern,
  holds: Formula,
  rest: Rest<After, 'after' | 'holds'> = {},
): After => ({
  after: pattern,
  holds,
  ...rest,
})

/** At most this many spans are open at once. */
export const atMost = (most: number, of: Span, rest: Rest<AtMost, 'atMost' | 'of'> = {}): AtMost => ({
  atMost: most,
  of,
  ...rest,
})

/** Every opened span is closed, within the deadline if there is one. */
export const closes = (span: Span, rest: Rest<Closes, 'closes'> = {}): Closes => ({ closes: span, ...rest })

/** No span is opened twice, or closed without being open. */
export const alternates = (span: Span, rest: Rest<Alternates, 'alternates'> = {}): Alternates => ({
  alternates: span,
  ...rest,
})

/** Without a stir, a span is never open for longer than this. */
export const calms = (span: Span, within: Within, rest: Rest<Calms, 'calms' | 'within'> = {}): Calms => ({
  calms: span,
  within,
  ...rest,
})

/** The number of matching steps is within the bounds. */
export const count = (pattern: Pattern, rest: Rest<Count, 'count'>): Count => ({ count: pattern, ...rest })

/** After everything that the same stimulus caused, the actor of a matching step matches this pattern. */
export const atRest = (
  when: Pattern,
  pattern: Pattern,
  rest: Rest<AtRest, 'atRest' | 'when'> = {},
): AtRest => ({
  atRest: pattern,
  when,
  ...rest,
})

/** Checks a formula separately for the steps of each actor or key. */
export const each = (by: Key, holds: Formula, rest: Rest<Each, 'each' | 'holds'> = {}): Each => ({
  each: by,
  holds,
  ...rest,
})

/** A custom monitor. */
export const watch = (make: Watch, rest: Rest<Watched, 'watch'> = {}): Watched => ({ watch: make, ...rest })

/** Patterns or formulas that must all be true. */
export function and(...parts: readonly Formula[]): All
export function and(...parts: readonly Pattern[]): { readonly all: readonly Pattern[] }
export function and(...parts: readonly (Formula | Pattern)[]): object {
  return { all: parts }
}

/** Patterns or formulas of which at least one must be true. */
export function or(...parts: readonly Formula[]): Any
export function or(...parts: readonly Pattern[]): { readonly any: readonly Pattern[] }
export function or(...parts: readonly (Formula | Pattern)[]): object {
  return { any: parts }
}

/** A pattern or formula that must not be true. */
export function not(part: Formula): Not
export function not(part: Pattern): { readonly not: Pattern }
export function not(part: Formula | Pattern): object {
  return { not: part }
}
