// The terms of a query, each with its position in the text.
import type { DeepTerm } from './deep.ts'

/** Keywords for a property of a step. */
export const FLAG_WORDS = ['noop', 'failed', 'injected', 'moved', 'lost', 'bookmarked'] as const
export type FlagWord = (typeof FLAG_WORDS)[number]

/** Keys that are followed by a colon and the wanted text. */
export const TEXT_KEYS = ['actor', 'type', 'state', 'from', 'src', 'status', 'fault'] as const
export type TextKey = (typeof TEXT_KEYS)[number]

export const DEEP_KEYS = ['changed', 'context', 'event', 'output', 'holds'] as const

export const COMPARED_KEYS = ['dur', 'at'] as const
export type ComparedKey = (typeof COMPARED_KEYS)[number]

/** Every key with a description: for completion and help. */
export const KEY_HELP: Readonly<Record<string, string>> = {
  actor: 'path or name of the actor, * as a wildcard',
  type: 'event type',
  state: 'a state after the step',
  from: 'sender of the event; app for outside',
  src: 'logic of the actor',
  status: 'active, done, error or stopped',
  fault: 'id of an injected fault',
  changed: 'a context path whose value changed, e.g. /session/exp',
  context: 'a context path, optionally with =value',
  event: 'an event path, optionally with =value',
  output: 'an output path, optionally with =value',
  holds: 'text anywhere in the context',
  'caused-by': 'number of an event: shows all its effects',
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

/** One condition; a step matches a query if it matches all of them. */
export interface Term {
  readonly wanted: Wanted
  /** Whether a step must not match. */
  readonly negated: boolean
  /** Its position in the text: from `from` up to, but not including, `to`. */
  readonly from: number
  readonly to: number
}

/** What is wrong with a part of the text, as a sentence. */
export interface QueryError {
  readonly message: string
  readonly from: number
  readonly to: number
}

export interface Query {
  readonly text: string
  readonly terms: readonly Term[]
  /** Invalid parts, which are ignored. */
  readonly errors: readonly QueryError[]
}
