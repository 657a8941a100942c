// Blocks of timeline data: records as columns that can be transferred between threads.
import type { ActorEntry, BookmarkRecord, StateValue, TraceHeader } from '../format/records.ts'

/** Bits of a step's flags. The two lowest are its status, as an index of `STATUSES`. */
export const FLAG = {
  changed: 4,
  /** Its line was damaged. */
  lost: 8,
  /** It ended in an error, or its event is named after a failure. */
  failed: 16,
  /** It carries the id of an injected fault. */
  injected: 32,
  /** The state changed, or this is the actor's first or last step. */
  moved: 64,
} as const

export const STATUSES = ['active', 'done', 'error', 'stopped'] as const
export const STIMULUS_KINDS = ['external', 'leaf', 'timer', 'stop'] as const

/** The steps of a block; all columns have the same length. `-1` means none. */
export interface StepBlock {
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

/**
 * What a port of Chartroom's own machines reported about a request or a socket; in several parts, each with
 * its step.
 */
export interface WireNote {
  readonly actor: number
  readonly seq: number
  readonly kind: 'request' | 'attempt' | 'socket' | 'answer' | 'body'
  readonly method?: string
  readonly path?: string
  readonly status?: number
  readonly failure?: string
  readonly attempt?: number
  /** For a response that was read completely, or for a body at its end. */
  readonly bytes?: number
}

/** Records that follow those of the previous block, as columns. */
export interface TimelineBlock {
  /** In the first block only. */
  readonly header?: TraceHeader
  readonly actors: readonly ActorEntry[]
  /** New event types, state values and transition lists, which the columns refer to by number. */
  readonly types: readonly string[]
  readonly states: readonly StateValue[]
  readonly vias: readonly (readonly string[])[]
  readonly steps: StepBlock
  readonly stimuli: StimulusBlock
  /** Ids of faults by the number of the step that carries them. */
  readonly faults: readonly (readonly [seq: number, id: string])[]
  readonly wire: readonly WireNote[]
  readonly bookmarks: readonly BookmarkRecord[]
}

/** Returns the buffers that can be transferred instead of copied. */
export function transferOf({ steps: v, stimuli: s }: TimelineBlock): ArrayBuffer[] {
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
