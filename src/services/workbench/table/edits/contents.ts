// The user's input, kept by the store apart from the machine that writes it.
import type { DataFailure } from '../../rest/explain-failure.ts'
import type { Row } from '../schema.ts'
import type { EditDecision, EditState, Values } from './edits.ts'

/** Input in the cells of a row. */
export interface Typed {
  /** Key of the row. */
  readonly key: string
  readonly row: Row
  readonly values: Values
  /** Why it cannot be sent. */
  readonly failure?: DataFailure | undefined
}

/** A form that shows the result of its write itself, and keeps its input until then. */
export interface WrittenBy {
  /** Whether the row is new. */
  readonly isNew: boolean
  /** Only the first call counts. */
  readonly report: (answer: EditDecision) => void
}

/** The user's part of an edit, which machines never see. */
export interface Contents extends Typed {
  readonly theirs?: Row | undefined
  /** Id of the last request that wrote it. */
  readonly request?: string | undefined
  readonly form?: WrittenBy
}

const UNKNOWN: DataFailure = { message: 'The change could not be saved.', retry: false }
/** Why it cannot be sent. */
export const failureIn = ({ failure = UNKNOWN }: Contents): DataFailure => failure

/** Combines the machine's state with what only the store knows. */
export function stateOf(at: EditState['at'], contents: Contents): EditState {
  if (at === 'backingOff' || at === 'refused') return { at, failure: failureIn(contents) }
  return at === 'conflict' ? { at, theirs: contents.theirs } : { at }
}
