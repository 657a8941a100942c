// The one cursor and the one selection that all views of the console share.
import type { TraceSource, ViewRecord } from '../../trace/format.ts'
import { ownName } from './actor-names.ts'
import type { TraceIndex } from './trace-index.ts'

/** What the user chose. */
export interface Cursor {
  /** The moment looked at: everything up to this record; absent while following the end. */
  readonly seq?: number
  readonly actor?: number
}

export type CursorAction =
  | { readonly type: 'record'; readonly seq: number; readonly actor: number }
  | { readonly type: 'actor'; readonly actor: number }
  | { readonly type: 'end' }
  | { readonly type: 'reset' }

/** Moves the cursor. Choosing a record chooses its actor; choosing an actor keeps the moment; another trace begins anew. */
export function moveCursor(cursor: Cursor, action: CursorAction): Cursor {
  switch (action.type) {
    case 'record':
      return { seq: action.seq, actor: action.actor }
    case 'actor':
      return { ...cursor, actor: action.actor }
    case 'end':
      return cursor.actor === undefined ? {} : { actor: cursor.actor }
    case 'reset':
      return {}
  }
}

/** What the cursor stands on. */
export interface Selection {
  readonly source: TraceSource
  /** The moment: the last record that has happened. -1 when there is none. */
  readonly at: number
  /** Whether the moment is the end, which moves as the trace grows. */
  readonly following: boolean
  readonly actor: number
  /** The selected record: the actor's latest at the moment; -1 when it has none. */
  readonly seq: number
  readonly record: ViewRecord | undefined
  /** The same actor's record before it. */
  readonly before: ViewRecord | undefined
}

/** Resolves the cursor against the first `size` records of the trace. */
export function select(cursor: Cursor, index: TraceIndex, size: number): Selection {
  const source = index.source
  const last = size - 1
  const at = cursor.seq === undefined ? last : Math.min(cursor.seq, last)
  const actor = cursor.actor ?? firstActor(source)
  const seq = index.lastOf(actor, at)
  return {
    source,
    at,
    following: cursor.seq === undefined,
    actor,
    seq,
    record: source.views[seq],
    before: source.views[index.previous(seq)],
  }
}

/** Before anything is chosen: the session when there is one, else the root. */
function firstActor(source: TraceSource): number {
  const session = source.actors.find(entry => ownName(entry, source.actors) === 'session')
  return session?.index ?? 0
}
