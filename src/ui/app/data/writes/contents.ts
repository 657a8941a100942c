// What was typed, as its desk keeps it beside the machine that writes it.
import type { DataFailure } from '../rest-failure.ts'
import type { Row } from '../schema.ts'
import type { EditState, Values } from './edits.ts'

/** What was typed into cells of a row. */
export interface Typed {
  /** Of the row. */
  readonly key: string
  readonly row: Row
  readonly values: Values
  /** Why it can't go as it is. */
  readonly failure?: DataFailure | undefined
}

/** What no machine knows of an edit: the user's own. */
export interface Contents extends Typed {
  readonly theirs?: Row | undefined
  /** The last that wrote it, by its id. */
  readonly request?: string | undefined
}

const UNKNOWN: DataFailure = { message: 'It could not be written.', retry: false }
/** Where the machine is, with what only the desk knows of that. */
export function stateOf(at: EditState['at'], { failure = UNKNOWN, theirs }: Contents): EditState {
  if (at === 'waiting' || at === 'refused') return { at, failure }
  return at === 'conflicting' ? { at, theirs } : { at }
}
