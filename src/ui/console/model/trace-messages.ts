// What the page and the thread that reads a file say to each other.
import type { Damage } from '../../../trace/format.ts'
import type { DeepTerm } from '../../../trace/query/deep.ts'
import type { TimelineBlock } from '../../../trace/timeline/block.ts'
import type { Glimpse } from './glimpse.ts'

/** A term that is left of a query, and whether it must not hold. */
export interface DeepQuestion {
  readonly term: DeepTerm
  readonly negated: boolean
}

/** First to open a file, then questions, each with a number for its answer. */
export type ToReader =
  | { readonly kind: 'open'; readonly file: Blob }
  | { readonly kind: 'views' | 'stimuli'; readonly id: number; readonly seqs: readonly number[] }
  | {
      readonly kind: 'match'
      readonly id: number
      readonly questions: readonly DeepQuestion[]
      readonly seqs: Uint32Array
      /** For each, the view before of the same actor, or -1. */
      readonly previous: Int32Array
    }
  | {
      readonly kind: 'glimpse'
      readonly id: number
      readonly seqs: readonly number[]
      readonly pointer: string
    }

/** `text` is JSON as the codec writes it: a structured clone would lose the classes and names that it knows. */
export type FromReader =
  | { readonly kind: 'header'; readonly text: string }
  /** `share` is how much of the file was read, from 0 to 1. */
  | { readonly kind: 'block'; readonly block: TimelineBlock; readonly share: number }
  | { readonly kind: 'read'; readonly damage: readonly Damage[] }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'records'; readonly id: number; readonly text: string }
  | { readonly kind: 'matches'; readonly id: number; readonly matches: Uint8Array }
  | { readonly kind: 'glimpses'; readonly id: number; readonly glimpses: readonly Glimpse[] }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string }
