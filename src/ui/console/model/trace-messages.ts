// Messages between the page and the worker that reads a file.
import type { Damage, DeepTerm, TimelineBlock } from '../../../trace/index.ts'
import type { ValuePreview } from './details.ts'

/** A remaining query term, and whether it is negated. */
export interface DeepQuestion {
  readonly term: DeepTerm
  readonly negated: boolean
}

/** First opens a file, then sends requests, each with a number for its response. */
export type ToReader =
  | { readonly kind: 'open'; readonly file: Blob }
  | { readonly kind: 'steps' | 'stimuli'; readonly id: number; readonly seqs: readonly number[] }
  | {
      readonly kind: 'match'
      readonly id: number
      readonly questions: readonly DeepQuestion[]
      readonly seqs: Uint32Array
      /** For each, the actor's previous step, or -1. */
      readonly previous: Int32Array
    }
  | {
      readonly kind: 'preview'
      readonly id: number
      readonly seqs: readonly number[]
      readonly pointer: string
    }

/**
 * `text` is JSON as the codec writes it: a structured clone would lose classes and names that the codec
 * keeps.
 */
export type FromReader =
  | { readonly kind: 'header'; readonly text: string }
  /** `share` is the share of the file that was read, from 0 to 1. */
  | { readonly kind: 'block'; readonly block: TimelineBlock; readonly share: number }
  | { readonly kind: 'read'; readonly damage: readonly Damage[] }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'records'; readonly id: number; readonly text: string }
  | { readonly kind: 'matches'; readonly id: number; readonly matches: Uint8Array }
  | { readonly kind: 'previews'; readonly id: number; readonly previews: readonly ValuePreview[] }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string }
