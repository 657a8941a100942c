// The patterns of the assertion language: step patterns, spans, keys and deadlines, as plain data.
import type { Followed, ObservedStep } from './steps.ts'
import type { StepRecord } from '../format/records.ts'

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
export type Status = StepRecord['status']

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
