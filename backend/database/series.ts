// Statements of one transaction that are sent together.

export interface SeriesStatement {
  readonly sql: string
  /** In PostgreSQL's text format, which each type reads; or bytes. */
  readonly values: readonly (string | Uint8Array | null)[]
}

/** Whether a transaction is committed: known before, or decided by the rows of the last statement. */
export type Keeping<Row> = boolean | ((rows: readonly Row[]) => boolean)

/**
 * Runs statements in one transaction of the session; without a decision by rows, in one round trip.
 * @returns the rows of the last statement, with values in PostgreSQL's text format, and bytes of `bytea`
 */
export type RunSeries = <Row>(
  statements: readonly SeriesStatement[],
  isKept: Keeping<Row>,
  isolation?: Isolation,
) => Promise<readonly Row[]>

export type Isolation = 'read committed' | 'repeatable read' | 'serializable'

export interface Series {
  readonly statements: readonly SeriesStatement[]
  /** Which statement has the rows. */
  readonly at: number
}

const plain = (sql: string): SeriesStatement => ({ sql, values: [] })

/** What undoes a transaction, after the checks that its end would have made. */
export const UNDO = ['set constraints all immediate', 'rollback']

/** Statements that are sent together are one transaction; one that may be undone begins explicitly. */
export function seriesOf<Row>(
  statements: readonly SeriesStatement[],
  isKept: Keeping<Row>,
  isolation?: Isolation,
): Series {
  if (isKept === true && isolation === undefined) return { statements, at: statements.length - 1 }
  const begin = plain(isolation === undefined ? 'begin' : `begin isolation level ${isolation}`)
  const after = typeof isKept === 'function' ? [] : isKept ? ['commit'] : UNDO
  return { statements: [begin, ...statements, ...after.map(plain)], at: statements.length }
}

export type Field = string | null

export const BYTEA = 17

export const bytesOf = (text: string): Uint8Array => Buffer.from(text.slice(2), 'hex')

export const hexOf = (bytes: Uint8Array): string => `\\x${Buffer.from(bytes).toString('hex')}`

/** Rows with names, of the fields in text format. */
export function rowsOf(
  fields: readonly { readonly name: string; readonly dataTypeID: number }[],
  rows: readonly (readonly Field[])[],
): readonly Readonly<Record<string, Field | Uint8Array>>[] {
  return rows.map(texts =>
    Object.fromEntries(
      fields.map(({ name, dataTypeID }, at) => [name, valueOf(texts[at] ?? null, dataTypeID)]),
    ),
  )
}

const valueOf = (text: Field, type: number): Field | Uint8Array =>
  text !== null && type === BYTEA ? bytesOf(text) : text
