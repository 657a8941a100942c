// The formulas of the assertion language: requirements on a trace, as plain data.
import type { Key, Pattern, Span, Telling, Within } from './language.ts'
import type { Watch } from './monitor.ts'

export interface Always extends Telling {
  readonly always: Pattern
  /** Only steps that match this are checked. */
  readonly where?: Pattern
}
export interface Never extends Telling {
  readonly never: Pattern
}
export interface Eventually extends Telling {
  readonly eventually: Pattern
  readonly within?: Within
}
export interface Precedes extends Telling {
  readonly precedes: Pattern
  readonly before: Pattern
  readonly by?: Key | readonly [precedes: Key, before: Key]
}
export interface Responds extends Telling {
  readonly responds: Pattern
  readonly to: Pattern
  readonly within?: Within
  readonly by?: Key | readonly [to: Key, responds: Key]
  /** Cancels every open expectation. */
  readonly unless?: Pattern
}
export interface After extends Telling {
  readonly after: Pattern
  readonly until?: Pattern
  readonly holds: Formula
}
export interface AtMost extends Telling {
  readonly atMost: number
  readonly of: Span
}
export interface Closes extends Telling {
  readonly closes: Span
  readonly within?: Within
  /** Cancels all open spans. */
  readonly unless?: Pattern
}
export interface Alternates extends Telling {
  readonly alternates: Span
}
export interface Calms extends Telling {
  readonly calms: Span
  readonly within: Within
  /** Restarts the time; code may return additional milliseconds. */
  readonly stirredBy?: Stir
  /** Stops the clock while this span is open. */
  readonly pausedWhile?: Span
}
export interface Count extends Telling {
  readonly count: Pattern
  readonly least?: number
  readonly most?: number
}
export interface AtRest extends Telling {
  readonly atRest: Pattern
  readonly when: Pattern
}
export interface Each extends Telling {
  readonly each: Key
  /** Only these steps. */
  readonly of?: Pattern
  readonly holds: Formula
}
export interface All extends Telling {
  readonly all: readonly Formula[]
}
export interface Any extends Telling {
  readonly any: readonly Formula[]
}
export interface Not extends Telling {
  readonly not: Formula
}
/** A custom monitor, for what formulas cannot express. */
export interface Watched extends Telling {
  readonly watch: Watch
  /** Only these steps are passed to it. */
  readonly of?: Pattern
}
/** Temporal formula over the steps of a trace. */
export type Formula =
  | Always
  | Never
  | Eventually
  | Precedes
  | Responds
  | After
  | AtMost
  | Closes
  | Alternates
  | Calms
  | Count
  | AtRest
  | Each
  | All
  | Any
  | Not
  | Watched
export type Stir =
  Pattern | ((step: Parameters<Extract<Pattern, (...args: never) => unknown>>[0]) => boolean | number)

/** A named formula. */
export interface Assertion {
  readonly name: string
  /** A description in one sentence. */
  readonly says?: string
  /** A function if the formula has state: called once per trace. */
  readonly check: Formula | (() => Formula)
}
