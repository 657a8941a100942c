// Changes values of a row, if they are still those that the user saw; in a session like that of the script.
import type { SqlMessage, SqlOutcome, SqlSession } from '../database/index.ts'
import type { RowEdit } from './request.ts'

/** Values of the edited columns in their order, as PostgreSQL writes them. */
type Values = readonly (string | null)[]

/** How an edit ended. */
export type EditAnswer =
  /** The values that are stored, which a trigger may have changed. */
  | { readonly end: 'saved'; readonly values: Values }
  /** Other values are there now. */
  | { readonly end: 'conflict'; readonly values: Values }
  /** The row was deleted, has another key, or is not visible to the role. */
  | { readonly end: 'gone' }
  | { readonly end: 'refused'; readonly error: SqlMessage }

/** An error of PostgreSQL, after which nothing is written. */
class Refusal extends Error {
  override name = 'Refusal'
  readonly error: SqlMessage

  constructor(error: SqlMessage) {
    super(error.message)
    this.error = error
  }
}

/** Writes the values in a separate transaction, which ends with the session if it is not committed. */
export async function editRow(session: SqlSession, edit: RowEdit): Promise<EditAnswer> {
  try {
    return await write(session, edit)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { end: 'refused', error: error.error }
  }
}

async function write(session: SqlSession, edit: RowEdit): Promise<EditAnswer> {
  const run = (sql: string) => runStatement(session, sql)
  const { cells } = edit
  const [table, columns] = [tableOf(edit), cells.map(({ column }) => quoted(column)).join(', ')]
  const changes = cells.map(({ column, after }) => `${quoted(column)} = ${literal(after)}`).join(', ')
  const unchanged = cells.map(({ column, before }) => hasText(quoted(column), before)).join(' and ')
  await run('begin')
  const { rows } = await run(
    `update ${table} set ${changes} where ${keyIs(edit)} and ${unchanged} returning ${columns}`,
  )
  const [row, ...moreRows] = rows
  if (moreRows.length > 0) throw new Refusal(AMBIGUOUS)
  if (row) {
    await run('commit')
    return { end: 'saved', values: row }
  }
  const [values] = (await run(`select ${columns} from ${table} where ${keyIs(edit)}`)).rows
  if (!values) return { end: 'gone' }
  const are = (version: 'before' | 'after') => cells.every((cell, at) => values[at] === cell[version])
  // The response of an earlier request may have been lost.
  if (are('after')) return { end: 'saved', values }
  return are('before') ? { end: 'refused', error: UNCHANGED } : { end: 'conflict', values }
}

async function runStatement(session: SqlSession, sql: string): Promise<SqlOutcome> {
  const outcome = await session.run(sql, MOST_ROWS)
  if (!outcome.error) return outcome
  // A place in a statement that the user has not written means nothing.
  const { position: _, ...error } = outcome.error
  throw new Refusal(error)
}

const MOST_ROWS = 2

const refusal = (code: string, message: string, hint: string): SqlMessage => ({
  severity: 'ERROR',
  code,
  message,
  hint,
})
const AMBIGUOUS = refusal(
  '21000',
  'several rows have this key, so nothing was changed',
  'The table may have been altered since the script ran: run it again.',
)
const UNCHANGED = refusal(
  '42501',
  'the row is visible to this role, but not changeable',
  'A row-level security policy for UPDATE, or a trigger, leaves the row unchanged.',
)

const tableOf = ({ schema, table }: RowEdit) => `${quoted(schema)}.${quoted(table)}`
const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/** As text of a type that follows from where it is, as in SQL that a user writes: PostgreSQL reads it as that type. */
const literal = (text: string | null): string =>
  text === null ? 'null' : ` E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

const keyIs = ({ key }: RowEdit) =>
  key.map(({ column, value }) => `${quoted(column)} = ${literal(value)}`).join(' and ')

/**
 * Compares the text that PostgreSQL writes in a result: not all types have an operator for equality, or an exact one.
 * A composite value of nulls `is null`, too, although it is not null.
 */
const hasText = (name: string, text: string | null) =>
  text === null
    ? `${name} is not distinct from null`
    : `(${name} is distinct from null and pg_catalog.format('%s', ${name}) = ${literal(text)} collate "C")`
