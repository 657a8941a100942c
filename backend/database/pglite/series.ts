// A series of statements on PGlite: all its messages at once.
import { messages, type PGlite, protocol } from '@electric-sql/pglite'
import {
  hexOf,
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
  async <Row>(statements: readonly SeriesStatement[], isKept: Keeping<Row>) =>
    driver.runExclusive(async () => {
      const rows = await send<Row>(driver, seriesOf(statements, isKept))
      if (typeof isKept === 'boolean') return rows
      let keeps = false
      try {
        keeps = isKept(rows)
      } finally {
        for (const sql of keeps ? ['commit'] : UNDO)
          await driver.execProtocol(serialize.query(sql)).catch(async (error: unknown) => {
            await driver.execProtocol(serialize.query('rollback'))
            throw error
          })
      }
      return rows
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
  return rowsOf<Row>(fields, rows)
}

const asText = (value: string | Uint8Array | null): string | null =>
  value instanceof Uint8Array ? hexOf(value) : value
