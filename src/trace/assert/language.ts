// The language of assertions, its words: patterns over steps, spans between them, keys, deadlines; plain data.
import type { Followed, Step } from './steps.ts'
import type { ViewRecord } from '../format.ts'

/** One name or several of which any will do; `*` stands for one part of a name, `**` for any number of them. */
export type Glob = string | readonly string[]
export type Scalar = string | number | boolean | null
/** Another part of the same step, e.g. `{ ref: 'parent.context.sentWith' }`. */
export interface Ref {
  readonly ref: string
}
/** What a value must be: a value that it equals, or each of these. */
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
export type Status = ViewRecord['status']

/** How an actor stands. All that is said must be so; what is not said may be anything. */
export interface ActorPattern {
  /** Path, e.g. `client/requests/*`; without an ordinal (`#2`) every actor that bore the name. */
  readonly actor?: Glob
  /** Machine id, or the name under which the logic was provided. */
  readonly src?: Glob
  readonly status?: Status | readonly Status[]
  /** Active state as a path from the top; `**.name` at any depth. */
  readonly state?: Glob
  readonly context?: Comparisons
  /** How many of its actors are active. */
  readonly children?: Comparison
  /** Whether it is the root of the system. */
  readonly root?: boolean
  /** Whether it has ever ended; `earlier`: before the stimulus that is at work now. */
  readonly ended?: boolean | 'earlier'
  /** The actor that it works for, as it is now. */
  readonly parent?: ActorPattern
  /** Some actor of the system, as it is now. */
  readonly some?: ActorPattern
  readonly all?: readonly ActorPattern[]
  readonly any?: readonly ActorPattern[]
  readonly not?: ActorPattern
}

/** A step: the event that an actor took and how it stood afterwards. */
export interface StepPattern extends Omit<ActorPattern, 'all' | 'any' | 'not'> {
  /** Type of the event; `request.*` also means `request`. */
  readonly event?: Glob
  /** Parts of the event. */
  readonly with?: Comparisons
  /** Path of the sender. */
  readonly from?: Glob
  /** In this state now, and not before. */
  readonly entered?: Glob
  /** In this state before, and not now. */
  readonly left?: Glob
  /** How the actor stood before this step. */
  readonly was?: ActorPattern
  readonly output?: Comparisons
  readonly error?: Comparisons
  /** Whether it is its actor's first step. */
  readonly first?: boolean
  readonly changed?: boolean
  /** A transition that was taken, as `path#n`. */
  readonly via?: Glob
  /** Between the beginning and the end of something, or of that one of several which has this key. */
  readonly inside?: Span | { readonly span: Span; readonly by: Key }
  /** Something has come: since the trace began, or since this span was last opened. */
  readonly happened?: Past
  readonly all?: readonly Pattern[]
  readonly any?: readonly Pattern[]
  readonly not?: Pattern
}
export interface Past {
  readonly step: Pattern
  readonly during?: Span
}
/** A pattern as data, or as code. */
export type Pattern = StepPattern | ((step: Step) => boolean)

/** What tells things apart: `actor`, `parent`, a path such as `event.info.id`, or code; several keys at once in code. */
export type Key = string | ((step: Step) => Scalar | readonly Scalar[] | undefined)

/** Something that goes on for a while. */
export type Span =
  /** From an actor's first step to its end. */
  | { readonly life: ActorPattern }
  /** While an actor stands like this. */
  | { readonly during: ActorPattern }
  /** From one step to another, for each key apart; the keys of both in turn when they lie in different places. */
  | { readonly from: Pattern; readonly to: Pattern; readonly by?: Key | readonly [from: Key, to: Key] }

/** Milliseconds, words (`250 ms`, `30 s`, `5 min`, `2 h`), steps, time while the device was awake, or code. */
export type Within =
  | number
  | string
  | { readonly steps: number }
  | { readonly awake: number | string | ((trigger: Step) => number) }
  | ((trigger: Step) => number)

/** What is told of a failure; `{key}`, `{waited}` and paths such as `{context.id}` are filled in. */
export type Says = string | ((told: Told) => string)
export interface Told {
  /** The step at which it showed. */
  readonly step: Step
  /** The step that asked for something. */
  readonly trigger: Step | undefined
  readonly actor: Followed
  readonly key: string | undefined
  /** Milliseconds since the trigger, on the clock of the deadline. */
  readonly waited: number
}
/** What every formula may say. */
export interface Telling {
  readonly says?: Says
  /** Whom a failure is about: the actor of the step unless told. */
  readonly about?: 'actor' | 'parent' | 'root'
}
