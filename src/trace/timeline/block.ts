// What a timeline grows by: some records as columns, fit to be handed from thread to thread.
import type { ActorEntry, BookmarkRecord, StateValue, TraceHeader } from '../format.ts'

/** Bits of a view's flags. The two lowest are its status, as an index of `STATUSES`. */
export const FLAG = {
  changed: 4,
  /** Its line was damaged. */
  lost: 8,
  /** It ended in an error, or its event is named after a failure. */
  failed: 16,
  /** It carries the id of a fault that was made on command. */
  injected: 32,
  /** The state is another one than before, or this is the actor's first view, or its last. */
  moved: 64,
} as const

export const STATUSES = ['active', 'done', 'error', 'stopped'] as const
export const STIMULUS_KINDS = ['external', 'leaf', 'timer', 'stop'] as const

/** The views of a block; all columns are of one length. `-1` stands for none. */
export interface ViewBlock {
  readonly t: Float64Array<ArrayBuffer>
  readonly actor: Uint32Array<ArrayBuffer>
  readonly type: Uint32Array<ArrayBuffer>
  readonly cause: Int32Array<ArrayBuffer>
  readonly by: Int32Array<ArrayBuffer>
  readonly from: Int32Array<ArrayBuffer>
  readonly state: Uint32Array<ArrayBuffer>
  readonly via: Uint32Array<ArrayBuffer>
  readonly flags: Uint8Array<ArrayBuffer>
}

/** The stimuli of a block. */
export interface StimulusBlock {
  readonly t: Float64Array<ArrayBuffer>
  readonly to: Uint32Array<ArrayBuffer>
  readonly from: Int32Array<ArrayBuffer>
  readonly kind: Uint8Array<ArrayBuffer>
}

/** What a port of Chartroom's own machines told of a request or a socket; comes in parts, each with its view. */
export interface WireNote {
  readonly actor: number
  readonly seq: number
  readonly kind: 'request' | 'attempt' | 'socket' | 'answer' | 'body'
  readonly method?: string
  readonly path?: string
  readonly status?: number
  readonly failure?: string
  readonly attempt?: number
  /** Of an answer that was read whole, or of a body at its end. */
  readonly bytes?: number
}

/** Records that follow those of the block before, as columns. */
export interface TimelineBlock {
  /** In the first block. */
  readonly header?: TraceHeader
  readonly actors: readonly ActorEntry[]
  /** Further names of event types, state values and lists of transitions, which the columns number. */
  readonly types: readonly string[]
  readonly states: readonly StateValue[]
  readonly vias: readonly (readonly string[])[]
  readonly views: ViewBlock
  readonly stimuli: StimulusBlock
  /** Ids of faults by the number of the view that carries them. */
  readonly faults: readonly (readonly [seq: number, id: string])[]
  readonly wire: readonly WireNote[]
  readonly bookmarks: readonly BookmarkRecord[]
}

/** What can change hands instead of being copied. */
export function transferOf({ views: v, stimuli: s }: TimelineBlock): ArrayBuffer[] {
  const columns = [
    v.t,
    v.actor,
    v.type,
    v.cause,
    v.by,
    v.from,
    v.state,
    v.via,
    v.flags,
    s.t,
    s.to,
    s.from,
    s.kind,
  ]
  return columns.map(({ buffer }) => buffer)
}
