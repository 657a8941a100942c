// What the database refused, in plain words, and the field that it is about.
import { explainCall, type FailedCall } from '../failed-call.ts'
import type { Made } from './made-columns.ts'

export interface DataFailure extends FailedCall {
  /** The column that the message belongs to. */
  readonly field?: string
  /** There is no such table for this user. */
  readonly isMissing?: true
  /** The database makes the values of the column itself. */
  readonly made?: Made
}

interface RestError {
  readonly message: string
  readonly code?: string | undefined
  readonly details?: string | null | undefined
  readonly hint?: string | null | undefined
}

export type DataAction = 'read' | 'insert' | 'update' | 'delete'

const POLICY: Readonly<Record<DataAction, string>> = {
  read: 'Its policies do not let you read it.',
  insert: 'A row policy does not let you add this row. Often a column must hold your own user id.',
  update: 'A row policy does not let you change this row that way.',
  delete: 'A row policy does not let you delete this row.',
}

const columnIn = (text: string, pattern: RegExp): { readonly field?: string } => {
  const field = pattern.exec(text)?.[1]
  return field === undefined ? {} : { field }
}

const NO_TABLE = {
  message: 'There is no such table, or it is not exposed to you.',
  isMissing: true,
} as const

/** A table that is there may need others that are not: its policies and views look into them. */
const explainRelation = ({ message }: RestError, table: string | undefined): Omit<DataFailure, 'retry'> => {
  const [, name] = /relation "(?:[^"]*\.)?([^".]+)" does not exist/.exec(message) ?? []
  if (name !== undefined && (table === undefined || name === table)) return NO_TABLE
  return { message: `Something that this needs is not there: ${message}.` }
}

const explainMade = ({ message, details }: RestError): Omit<DataFailure, 'retry'> => {
  const made = /identity/.test(details ?? '') ? 'identity' : 'generated'
  const how = made === 'identity' ? 'it is an identity column' : 'it is made of other columns'
  return {
    message: `The database makes this value itself: ${how}. It is left out from now on.`,
    made,
    ...columnIn(message, /column "([^"]+)"/),
  }
}

const explainCode = (
  error: RestError,
  action: DataAction,
  table: string | undefined,
): Omit<DataFailure, 'retry'> | undefined => {
  const details = error.details ?? ''
  switch (error.code) {
    case '42501':
      return { message: POLICY[action] }
    case '42P01':
      return explainRelation(error, table)
    case 'PGRST205':
      return NO_TABLE
    case 'PGRST103':
      return { message: 'There is no such page any more: rows were deleted.' }
    case '23502':
      return { message: 'This must have a value.', ...columnIn(error.message, /column "([^"]+)"/) }
    case '23505':
      return { message: 'Another row has this value already.', ...columnIn(details, /\(([^(),]+)\)=/) }
    case '23503':
      return action === 'delete'
        ? { message: 'Other rows refer to this one. Delete those first.' }
        : { message: 'No such row exists in the other table.', ...columnIn(details, /\(([^(),]+)\)=/) }
    case '428C9':
      return explainMade(error)
    case '23514':
      return {
        message: `A rule of the table was broken: ${columnIn(error.message, /constraint "([^"]+)"/).field ?? error.message}.`,
      }
    default:
      return undefined
  }
}

/** A failed REST call for the user. `status` 0 means that no answer came. */
export const explainRest = async (
  error: RestError,
  status: number,
  action: DataAction,
  table?: string,
): Promise<DataFailure> => ({ ...(await explainCall(error, status)), ...explainCode(error, action, table) })
