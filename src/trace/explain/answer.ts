// Questions about a recording, and their answers: a sentence, its steps from the reason on, and the evidence.

/** The conditions of the client that users ask about. */
export const STATUS_QUESTIONS = [
  'signedOut',
  'signedIn',
  'refreshed',
  'notRefreshed',
  'keyRefused',
  'offline',
  'liveLost',
  'callFailing',
] as const

export type StatusQuestion = (typeof STATUS_QUESTIONS)[number]

/** `at` is the number of a step; it defaults to the last one. */
export type Question =
  /** Why did this happen? */
  | { readonly step: number }
  /** Why is this actor in its state? The actor is given by its path. */
  | { readonly actor: string; readonly at?: number }
  | { readonly status: StatusQuestion; readonly at?: number }

/** A step that an answer refers to. */
export interface StepRef {
  /** Its `seq`. */
  readonly step: number
  /** Path of the actor. */
  readonly actor: string
  /** Type of the event. */
  readonly event: string
  /** Milliseconds since the recording started. */
  readonly t: number
}

/** What an answer is based on. `step` is the number of the step that shows it. */
export type Evidence = { readonly step: number } & (
  | {
      readonly kind: 'response'
      readonly status: number
      /** The error code of the response, if the recording contains one. */
      readonly code?: string
      readonly method?: string
      readonly path?: string
      /** Seconds. */
      readonly retryAfter?: number
    }
  /** An error without a response; `failure` is its kind. */
  | { readonly kind: 'failure'; readonly failure: string; readonly code?: string }
  /** An event that the app or its user sent. */
  | { readonly kind: 'command'; readonly event: string }
  /** `delay` in milliseconds, if the recording contains it. */
  | { readonly kind: 'timer'; readonly delay?: number }
  | { readonly kind: 'otherTab'; readonly change: 'written' | 'removed' }
  | {
      readonly kind: 'storage'
      readonly content: 'session' | 'nothing' | 'unreadable' | 'removed' | 'written'
    }
  | {
      readonly kind: 'device'
      readonly change: 'offline' | 'online' | 'hidden' | 'visible' | 'frozen' | 'resumed' | 'woke'
    }
  | { readonly kind: 'socket'; readonly code?: number }
  /** What the realtime server said about a channel. */
  | { readonly kind: 'channel'; readonly reason: string }
  | { readonly kind: 'fault'; readonly id: string }
  | { readonly kind: 'event'; readonly event: string; readonly from: string }
  | { readonly kind: 'result'; readonly actor: string }
  | { readonly kind: 'error'; readonly actor: string; readonly message?: string }
  | { readonly kind: 'guard'; readonly guard: string; readonly holds: boolean }
  | { readonly kind: 'start' }
)

export interface Explanation {
  /** One sentence, or two for a reason with a history. */
  readonly sentence: string
  /** From the reason to the effect. */
  readonly because: readonly [StepRef, ...StepRef[]]
  readonly evidence: readonly Evidence[]
  /** What follows, or what helps. */
  readonly next?: string
}

/** The recording does not show it. */
export interface Unexplained {
  /** Why not, as a sentence. */
  readonly unknown: string
}

export type Answer = Explanation | Unexplained
