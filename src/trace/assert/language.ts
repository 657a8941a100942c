// The assertion language as plain data: step patterns, spans, keys and deadlines, and the formulas over them.
import type { Followed, ObservedStep } from './steps.ts'
import type { StepRecord } from '../format/records.ts'
import type { Watch } from './monitor.ts'

/** A name, or several alternatives; `*` matches one part of a name, `**` any number of parts. */
export type Glob = string | readonly string[]
export type Scalar = string | number | boolean | null
/** Another part of the same step, e.g. `{ ref: 'parent.context.sentWith' }`. */
export interface Ref {
  readonly ref: string
}
/** The required value: a value to equal, or conditions that must all be true. */
export type Comparison =
  | Scalar
  | {
      readonly is?: Scalar | Ref
      readonly isNot?: Scalar | Ref
      readonly above?: number | Ref
      readonly atLeast?: number | Ref
      readonly below?: number | Ref
      readonly atMost?: number | Ref
      readonly oneOf?: readonly Scalar[]
      readonly noneOf?: readonly Scalar[]
      readonly like?: Glob
      readonly exists?: boolean
    }
/** Comparisons by path, e.g. `{ 'token.user.id': 'ann' }`; the empty path is the whole value. */
export type Comparisons = Readonly<Record<string, Comparison>>
type Status = StepRecord['status']

/** The state of an actor. All given fields must match; omitted fields match anything. */
export interface ActorPattern {
  /** Path, e.g. `client/requests/*`; without an ordinal (`#2`), all actors that had this name. */
  readonly actor?: Glob
  /** Machine id, or the name under which the logic was provided. */
  readonly src?: Glob
  readonly status?: Status | readonly Status[]
  /** Active state as a path from the root; `**.name` matches at any depth. */
  readonly state?: Glob
  readonly context?: Comparisons
  /** Number of its active child actors. */
  readonly children?: Comparison
  /** Whether it is the root of the system. */
  readonly root?: boolean
  /** Whether it has ever ended; `earlier`: before the current stimulus. */
  readonly ended?: boolean | 'earlier'
  /** Its current parent actor. */
  readonly parent?: ActorPattern
  /** Any actor of the system in its current state. */
  readonly some?: ActorPattern
  readonly all?: readonly ActorPattern[]
  readonly any?: readonly ActorPattern[]
  readonly not?: ActorPattern
}

/** A step: the event that an actor received and its state afterwards. */
export interface StepPattern extends Omit<ActorPattern, 'all' | 'any' | 'not'> {
  /** Event type; `request.*` also matches `request`. */
  readonly event?: Glob
  /** Parts of the event. */
  readonly with?: Comparisons
  /** Path of the sender. */
  readonly from?: Glob
  /** In this state after the step, but not before. */
  readonly entered?: Glob
  /** In this state before the step, but not after. */
  readonly left?: Glob
  /** The actor before this step. */
  readonly was?: ActorPattern
  readonly output?: Comparisons
  readonly error?: Comparisons
  /** Whether this is its actor's first step. */
  readonly first?: boolean
  readonly changed?: boolean
  /** A taken transition, as `path#n`. */
  readonly via?: Glob
  /** While a span is open, or the one of several spans that has this key. */
  readonly inside?: Span | { readonly span: Span; readonly by: Key }
  /** A step has occurred since the trace started, or since this span was last opened. */
  readonly happened?: Past
  readonly all?: readonly Pattern[]
  readonly any?: readonly Pattern[]
  readonly not?: Pattern
}
export interface Past {
  readonly step: Pattern
  readonly during?: Span
}
/** A pattern as data or code. */
export type Pattern = StepPattern | ((step: ObservedStep) => boolean)

/**
 * The grouping key: `actor`, `parent`, a path such as `event.info.id`, or code; code may return several keys.
 */
export type Key = string | ((step: ObservedStep) => Scalar | readonly Scalar[] | undefined)

/** A period of time in the trace. */
export type Span =
  /** From an actor's first step to its end. */
  | { readonly life: ActorPattern }
  /** While an actor matches this pattern. */
  | { readonly during: ActorPattern }
  /**
   * From one step to another, separately for each key; two keys if it is read from different places at each
   * end.
   */
  | { readonly from: Pattern; readonly to: Pattern; readonly by?: Key | readonly [from: Key, to: Key] }

/** Milliseconds, text (`250 ms`, `30 s`, `5 min`, `2 h`), steps, awake time of the device, or code. */
export type Within =
  | number
  | string
  | { readonly steps: number }
  | { readonly awake: number | string | ((trigger: ObservedStep) => number) }
  | ((trigger: ObservedStep) => number)

/** The failure message; replaces `{key}`, `{waited}` and paths such as `{context.id}`. */
export type Says = string | ((facts: MessageFacts) => string)
export interface MessageFacts {
  /** The step at which it failed. */
  readonly step: ObservedStep
  /** The step that started the expectation. */
  readonly trigger: ObservedStep | undefined
  readonly actor: Followed
  readonly key: string | undefined
  /** Milliseconds since the trigger, on the clock of the deadline. */
  readonly waited: number
}
/** Options of every formula. */
export interface Telling {
  readonly says?: Says
  /** The actor that a failure is about; defaults to the actor of the step. */
  readonly about?: 'actor' | 'parent' | 'root'
}

// The formulas: requirements on a trace.

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
