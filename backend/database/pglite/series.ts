// A series of statements on PGlite: all its messages at once.
import { messages, type PGlite, protocol } from '@electric-sql/pglite'
import {
  hexOf,
  type Isolation,
  type Keeping,
  rowsOf,
  type RunSeries,
  type Series,
  seriesOf,
  type SeriesStatement,
  UNDO,
} from '../series.ts'

const { serialize } = protocol

export const openSeries =
  (driver: Pick<PGlite, 'execProtocol' | 'runExclusive' | 'exec'>): RunSeries =>
  async <Row>(statements: readonly SeriesStatement[], isKept: Keeping<Row>, isolation?: Isolation) =>
    driver.runExclusive(async () => {
      try {
        const rows = await send<Row>(driver, seriesOf(statements, isKept, isolation))
        if (typeof isKept === 'function')
          for (const sql of isKept(rows) ? ['commit'] : UNDO) await driver.execProtocol(serialize.query(sql))
        return rows
      } catch (error) {
        // What has begun explicitly does not end with an error.
        if (isKept !== true || isolation !== undefined) await driver.execProtocol(serialize.query('rollback'))
        throw error
      }
    })

async function send<Row>(
  driver: Pick<PGlite, 'execProtocol'>,
  { statements, at }: Series,
): Promise<readonly Row[]> {
  const parts = statements.flatMap(({ sql, values }, position) => [
    serialize.parse({ text: sql }),
    serialize.bind({ values: values.map(asText) }),
    ...(position === at ? [serialize.describe({ type: 'P' })] : []),
    serialize.execute({}),
  ])
  const { messages: answers } = await driver.execProtocol(Buffer.concat([...parts, serialize.sync()]))
  let fields: readonly messages.Field[] = []
  const rows: (readonly (string | null)[])[] = []
  let done = 0
  for (const answer of answers) {
    if (answer instanceof messages.RowDescriptionMessage) fields = answer.fields
    else if (answer instanceof messages.DataRowMessage && done === at) rows.push(answer.fields)
    else if (answer instanceof messages.CommandCompleteMessage) done += 1
  }
  return rowsOf(fields, rows) as readonly Row[]
}

const asText = (value: string | Uint8Array | null): string | null =>
  value instanceof Uint8Array ? hexOf(value) : value
