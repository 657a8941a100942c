// Explains database errors in plain language, with the field they concern.
import { explainCall, type FailedCall } from './failed-call.ts'
import { type RestError, restErrorIn } from './rest-error.ts'

export interface DataFailure extends FailedCall {
  /** The column the message belongs to. */
  readonly field?: string
  /** The database's code, where what follows depends on it. */
  readonly code?: '42501' | 'PGRST122' | 'PGRST124'
  /** The table does not exist for this user. */
  readonly isMissing?: true
  /** The database generates the column's values. */
  readonly generation?: 'identity' | 'generated'
  /** A view that cannot be written to in this way; the message is the reason. */
  readonly isReadOnlyView?: true
}

export type DataAction = 'read' | 'insert' | 'update' | 'delete'

const POLICY: Readonly<Record<DataAction, string>> = {
  read: 'Row policies do not let you read this table.',
  insert: 'RLS does not let you add this row. Often a column must contain your own user ID.',
  update: 'RLS does not let you make this change to this row.',
  delete: 'RLS does not let you delete this row.',
}

const DENIED: Readonly<Record<DataAction, string>> = {
  read: 'read this table',
  insert: 'add rows to this table',
  update: 'change rows of this table',
  delete: 'delete rows of this table',
}

/** The database does not say which column. */
const COLUMNS: Readonly<Record<DataAction, string>> = {
  read: ', or one of its columns',
  insert: ', or to set one of the columns',
  update: ', or one of the columns',
  delete: '',
}

/** A policy, or a missing GRANT, which the database names with the statement that gives it. */
const explainDenied = ({ message, hint }: RestError, action: DataAction): string => {
  if (!/^permission denied for (?:table|view|materialized view|foreign table) /.test(message))
    return POLICY[action]
  const grant = /GRANT [^;]{1,500};/.exec(hint)?.[0]
  const fix = grant === undefined ? 'It needs a GRANT.' : `The owner of the database can run: ${grant}`
  return `Your role has no privilege to ${DENIED[action]}${COLUMNS[action]}. ${fix}`
}

const columnIn = (text: string, pattern: RegExp): { readonly field?: string } => {
  const field = pattern.exec(text)?.[1]
  return field === undefined ? {} : { field }
}

const NO_TABLE = {
  message: 'The table does not exist or is not exposed to you.',
  isMissing: true,
} as const

/** An existing table may depend on missing ones: its policies and views read from them. */
const explainRelation = ({ message }: RestError, table: string | undefined): Omit<DataFailure, 'retry'> => {
  const [, name] = /relation "(?:[^"]*\.)?([^".]+)" does not exist/.exec(message) ?? []
  if (name !== undefined && (table === undefined || name === table)) return NO_TABLE
  return { message: `A required relation is missing: ${message}.` }
}

const explainMade = ({ message, details }: RestError): Omit<DataFailure, 'retry'> => {
  const generation = /identity/.test(details) ? 'identity' : 'generated'
  const how = generation === 'identity' ? 'it is an identity column' : 'it is computed from other columns'
  return {
    message: `The database generates this value: ${how}. Chartroom leaves it out from now on.`,
    generation,
    ...columnIn(message, /column "([^"]+)"/),
  }
}

const READ_ONLY_VIEW = /^cannot (?:insert into|update|delete from) view "/
const READ_ONLY_COLUMN = /^cannot (?:insert into|update) column "([^"]+)" of view "/

/** Views that aggregate, join or combine are read-only unless they have triggers. */
const explainView = ({ message, details }: RestError): Omit<DataFailure, 'retry'> | undefined => {
  if (READ_ONLY_VIEW.test(message))
    return { message: `This view cannot be written to. ${details}`.trim(), isReadOnlyView: true }
  const field = READ_ONLY_COLUMN.exec(message)?.[1]
  if (field === undefined) return undefined
  return {
    message: `This column of the view cannot be written to. ${details}`.trim(),
    generation: 'generated',
    field,
  }
}

const explainCode = (
  error: RestError,
  action: DataAction,
  table: string | undefined,
): Omit<DataFailure, 'retry'> | undefined => {
  const { code, details } = error
  switch (code) {
    case '42501':
      return { message: explainDenied(error, action), code }
    case 'PGRST122':
      return { message: `The backend refuses a preference: ${details}.`, code }
    case 'PGRST124':
      return { message: 'Nothing was changed: more rows match than were selected.', code }
    case '42P01':
      return explainRelation(error, table)
    case 'PGRST205':
      return NO_TABLE
    case 'PGRST103':
      return { message: 'This page no longer exists: rows were deleted.' }
    case '23502':
      return { message: 'This must have a value.', ...columnIn(error.message, /column "([^"]+)"/) }
    case '23505':
      return { message: 'Another row already has this value.', ...columnIn(details, /\(([^(),]+)\)=/) }
    case '23503':
      return action === 'delete'
        ? { message: 'Other rows reference this row. Delete those first.' }
        : {
            message: 'The referenced row does not exist in the other table.',
            ...columnIn(details, /\(([^(),]+)\)=/),
          }
    case '428C9':
      return explainMade(error)
    case '55000':
    case '0A000':
      return explainView(error)
    case '23514':
      return {
        message: `Check constraint failed: ${columnIn(error.message, /constraint "([^"]+)"/).field ?? error.message}.`,
      }
    default:
      return undefined
  }
}

/** Explains a failed REST call to the user. `status` 0 means no response. */
export const explainRest = async (
  error: unknown,
  status: number,
  action: DataAction,
  table?: string,
): Promise<DataFailure> => ({
  ...(await explainCall(error, status)),
  ...explainCode(restErrorIn(error), action, table),
})
