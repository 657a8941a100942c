// What a query consists of: terms, each with its place in the text.
import type { DeepTerm } from './deep.ts'

/** Words that stand for a property of a view. */
export const FLAG_WORDS = ['noop', 'failed', 'injected', 'moved', 'lost', 'bookmarked'] as const
export type FlagWord = (typeof FLAG_WORDS)[number]

/** Keys that are followed by a colon and what is looked for. */
export const TEXT_KEYS = ['actor', 'type', 'state', 'from', 'src', 'status', 'fault'] as const
export type TextKey = (typeof TEXT_KEYS)[number]

export const DEEP_KEYS = ['changed', 'context', 'event', 'output', 'holds'] as const

export const COMPARED_KEYS = ['dur', 'at'] as const
export type ComparedKey = (typeof COMPARED_KEYS)[number]

/** Every key, with what it looks for: for completion and help. */
export const KEY_HELP: Readonly<Record<string, string>> = {
  actor: 'path or name of the actor, * for any rest',
  type: 'type of the event',
  state: 'a state that was reached',
  from: 'the actor that sent the event; app for outside',
  src: 'the logic of the actor',
  status: 'active, done, error or stopped',
  fault: 'id of a fault made on command',
  changed: 'a path in the context whose value changed, as /session/exp',
  context: 'a path in the context, =value if you like',
  event: 'a path in the event, =value if you like',
  output: 'a path in the output, =value if you like',
  holds: 'text anywhere in the context',
  'caused-by': 'number of an event: all that followed from it',
}

export type Wanted =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'key'; readonly key: TextKey; readonly any: readonly string[] }
  | { readonly kind: 'flag'; readonly flag: FlagWord }
  | {
      readonly kind: 'compared'
      readonly key: ComparedKey
      readonly by: '>' | '<' | '>=' | '<='
      readonly ms: number
    }
  | { readonly kind: 'caused-by'; readonly seq: number }
  | { readonly kind: 'number'; readonly seq: number }
  | { readonly kind: 'deep'; readonly term: DeepTerm }

/** One condition; a view matches a query when it meets all of them. */
export interface Term {
  readonly wanted: Wanted
  /** Whether a view must not be so. */
  readonly negated: boolean
  /** Its place in the text: from `from` up to, but without, `to`. */
  readonly from: number
  readonly to: number
}

/** What is wrong with a part of the text, in a sentence. */
export interface QueryError {
  readonly message: string
  readonly from: number
  readonly to: number
}

export interface Query {
  readonly text: string
  readonly terms: readonly Term[]
  /** Parts that could not be understood; they do not count. */
  readonly errors: readonly QueryError[]
}
