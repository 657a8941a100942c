// Blocks of timeline data: records as columns that can be transferred between threads.
import type { ActorEntry, BookmarkRecord, StateValue, TraceHeader } from '../format/records.ts'
import type { Numbers } from '../model/column.ts'

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

const float64 = (length: number) => new Float64Array(length)
const uint32 = (length: number) => new Uint32Array(length)
const int32 = (length: number) => new Int32Array(length)
const uint8 = (length: number) => new Uint8Array(length)

/** The columns of steps, all of the same length. `-1` means none. */
export const STEP_COLUMNS = {
  t: float64,
  actor: uint32,
  type: uint32,
  cause: int32,
  by: int32,
  from: int32,
  state: uint32,
  via: uint32,
  flags: uint8,
} as const

/** The columns of stimuli. */
export const STIMULUS_COLUMNS = { t: float64, to: uint32, from: int32, kind: uint8 } as const

/** Makes something for each column of a table. */
export function eachColumn<Name extends string, T>(
  table: Readonly<Record<Name, (length: number) => Numbers>>,
  make: (column: (length: number) => Numbers, name: Name) => T,
): Readonly<Record<Name, T>> {
  const entries = columnNames(table).map(name => [name, make(table[name], name)] as const)
  return Object.fromEntries(entries) as Record<Name, T>
}

export const columnNames = <Name extends string>(table: Readonly<Record<Name, unknown>>): Name[] =>
  Object.keys(table) as Name[]

/**
 * What a port of Chartroom's own machines reported about a request or a socket; in several parts, each with
 * its step.
 */
export interface WireNote {
  readonly actor: number
  readonly seq: number
  /** `call`: of another port. `result`: the port's own result, after its calls. */
  readonly kind: 'request' | 'attempt' | 'call' | 'socket' | 'answer' | 'result' | 'body' | 'close'
  /** Number of a port's call. */
  readonly call?: number
  readonly method?: string
  readonly path?: string
  readonly status?: number
  readonly failure?: string
  /** Code of the failure, such as `refresh_token_already_used`, or of the refusal. */
  readonly error?: string
  readonly attempt?: number
  /** For a response that was read completely, or for a body at its end. */
  readonly bytes?: number
  /** Why a socket closed. */
  readonly code?: number
  readonly reason?: string
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
  readonly steps: Readonly<Record<keyof typeof STEP_COLUMNS, Numbers>>
  readonly stimuli: Readonly<Record<keyof typeof STIMULUS_COLUMNS, Numbers>>
  /** Ids of faults by the number of the step that carries them. */
  readonly faults: readonly (readonly [seq: number, id: string])[]
  readonly wire: readonly WireNote[]
  readonly bookmarks: readonly BookmarkRecord[]
}

/** Returns the buffers that can be transferred instead of copied. */
export function transferOf({ steps, stimuli }: TimelineBlock): ArrayBuffer[] {
  return [...Object.values(steps), ...Object.values(stimuli)].map(({ buffer }) => buffer)
}
