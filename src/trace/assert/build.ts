// The functions that make assertions: each gives the plain data that its sentence stands for.
import type {
  After,
  All,
  Always,
  Alternates,
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
  Never,
  Not,
  Precedes,
  Responds,
  Watched,
} from './formulas.ts'
import type { Key, Pattern, Span, Within } from './language.ts'
import type { Watch } from './monitor.ts'

type Rest<F extends Formula, K extends PropertyKey> = Omit<F, K>

/** Gives a formula its name. */
export const assertion = (name: string, check: Assertion['check'], says?: string): Assertion => ({
  name,
  ...(says !== undefined && { says }),
  check,
})

/** Every step (`where`: every such step) is like this. */
export const always = (pattern: Pattern, rest: Rest<Always, 'always'> = {}): Always => ({
  always: pattern,
  ...rest,
})

/** No step is like this. */
export const never = (pattern: Pattern, rest: Rest<Never, 'never'> = {}): Never => ({
  never: pattern,
  ...rest,
})

/** A step like this comes, in time. */
export const eventually = (pattern: Pattern, rest: Rest<Eventually, 'eventually'> = {}): Eventually => ({
  eventually: pattern,
  ...rest,
})

/** No `then` comes before a `first`; with `by` for each key apart. A step that is both will do. */
export const precedes = (
  first: Pattern,
  then: Pattern,
  rest: Rest<Precedes, 'precedes' | 'before'> = {},
): Precedes => ({ precedes: first, before: then, ...rest })

/** Every `asked` is followed by an `answer` (or is one itself), in time; with `by` by one of the same key. */
export const responds = (
  asked: Pattern,
  answer: Pattern,
  rest: Rest<Responds, 'responds' | 'to'> = {},
): Responds => ({ responds: answer, to: asked, ...rest })

/** From the step after this one on, up to the one before `until`, this holds; each time anew. */
export const after = (
  pattern: Pattern,
  holds: Formula,
  rest: Rest<After, 'after' | 'holds'> = {},
): After => ({
  after: pattern,
  holds,
  ...rest,
})

/** At most so many of these are open at once. */
export const atMost = (most: number, of: Span, rest: Rest<AtMost, 'atMost' | 'of'> = {}): AtMost => ({
  atMost: most,
  of,
  ...rest,
})

/** Whatever is opened is closed, in time. */
export const closes = (span: Span, rest: Rest<Closes, 'closes'> = {}): Closes => ({ closes: span, ...rest })

/** Nothing is opened twice, nor closed without being open. */
export const alternates = (span: Span, rest: Rest<Alternates, 'alternates'> = {}): Alternates => ({
  alternates: span,
  ...rest,
})

/** Time without a stir, and with one of these open, is never longer than this. */
export const calms = (span: Span, within: Within, rest: Rest<Calms, 'calms' | 'within'> = {}): Calms => ({
  calms: span,
  within,
  ...rest,
})

/** So many steps are like this. */
export const count = (pattern: Pattern, rest: Rest<Count, 'count'>): Count => ({ count: pattern, ...rest })

/** When all is over that the same stimulus set off, this is so of the actor that took such a step. */
export const atRest = (
  when: Pattern,
  pattern: Pattern,
  rest: Rest<AtRest, 'atRest' | 'when'> = {},
): AtRest => ({
  atRest: pattern,
  when,
  ...rest,
})

/** The steps of each actor, or of each key, taken by themselves. */
export const each = (by: Key, holds: Formula, rest: Rest<Each, 'each' | 'holds'> = {}): Each => ({
  each: by,
  holds,
  ...rest,
})

/** A monitor of one's own. */
export const watch = (make: Watch, rest: Rest<Watched, 'watch'> = {}): Watched => ({ watch: make, ...rest })

/** Patterns or formulas that must all be so. */
export function and(...parts: readonly Formula[]): All
export function and(...parts: readonly Pattern[]): { readonly all: readonly Pattern[] }
export function and(...parts: readonly (Formula | Pattern)[]): object {
  return { all: parts }
}

/** Patterns or formulas of which one must be so. */
export function or(...parts: readonly Formula[]): Any
export function or(...parts: readonly Pattern[]): { readonly any: readonly Pattern[] }
export function or(...parts: readonly (Formula | Pattern)[]): object {
  return { any: parts }
}

/** A pattern or formula that must not be so. */
export function not(part: Formula): Not
export function not(part: Pattern): { readonly not: Pattern }
export function not(part: Formula | Pattern): object {
  return { not: part }
}
