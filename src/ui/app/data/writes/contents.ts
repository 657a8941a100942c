// What was typed, as its desk keeps it beside the machine that writes it.
import type { DataFailure } from '../rest-failure.ts'
import type { Row } from '../schema.ts'
import type { EditAnswer, EditState, Values } from './edits.ts'

/** What was typed into cells of a row. */
export interface Typed {
  /** Of the row. */
  readonly key: string
  readonly row: Row
  readonly values: Values
  /** Why it can't go as it is. */
  readonly failure?: DataFailure | undefined
}

/** A form that shows what comes of its write itself, and keeps what was typed until then. */
export interface WrittenBy {
  /** A row that was not there before. */
  readonly isNew: boolean
  /** Only the first is heard. */
  readonly tell: (answer: EditAnswer) => void
}

/** What no machine knows of an edit: the user's own. */
export interface Contents extends Typed {
  readonly theirs?: Row | undefined
  /** The last that wrote it, by its id. */
  readonly request?: string | undefined
  readonly form?: WrittenBy
}

const UNKNOWN: DataFailure = { message: 'It could not be written.', retry: false }
/** Why it can't go. */
export const failureIn = ({ failure = UNKNOWN }: Contents): DataFailure => failure

/** Where the machine is, with what only the desk knows of that. */
export function stateOf(at: EditState['at'], contents: Contents): EditState {
  if (at === 'waiting' || at === 'refused') return { at, failure: failureIn(contents) }
  return at === 'conflicting' ? { at, theirs: contents.theirs } : { at }
}
