// Values on their way in and out: PostgreSQL, not PGlite, says what fits a column, and PostgREST how it is written.
import { parse as parseArray } from 'postgres-array'
import type { PgliteConnection } from '@supabase/lite/pglite'

type Driver = PgliteConnection['driver']
type Serialize = (value: unknown) => string

/** Types for which PGlite takes some kinds of values only and stumbles over the rest. */
const NARROW = { bool: 16, bytea: 17, text: 25, bpchar: 1042, varchar: 1043, date: 1082 } as const
const NARROW_TIMES = [1114, 1184]

/** Makes every serializer of plain types total. */
export function acceptAnyValue(driver: Driver): void {
  for (const type of [...Object.values(NARROW), ...NARROW_TIMES]) driver.serializers[type] = textOf
}

/** The same for arrays, whose types come and go with the schema; a value that is no array would break the protocol. */
export async function acceptAnyArray(driver: Driver): Promise<void> {
  await driver.refreshArrayTypes()
  const { rows } = await driver.query<{ oid: number; typarray: number }>(
    'select oid, typarray from pg_type where typarray <> 0',
  )
  for (const { oid, typarray } of rows) {
    driver.serializers[typarray] = arrayText
    // PGlite reads a NULL in an array as a text of that name.
    driver.parsers[typarray] = (text: string) =>
      parseArray(text, element => driver.parsers[oid]?.(element) ?? element)
  }
}

/** Values as PostgREST writes them, where the rest of the backend wants them as they are. */
export function readAsPostgrest(driver: Driver, isRest: () => boolean): void {
  const query = driver.query.bind(driver)
  driver.query = (sql, parameters, options) =>
    query(
      sql,
      parameters,
      isRest() ? { ...options, parsers: { [NARROW.bytea]: (text: string) => text } } : options,
    )
}

const textOf: Serialize = value => {
  if (typeof value === 'string') return value
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const arrayText: Serialize = value =>
  Array.isArray(value) ? `{${value.map(elementText).join()}}` : textOf(value)

function elementText(element: unknown): string {
  if (element === null || element === undefined) return 'NULL'
  if (Array.isArray(element)) return arrayText(element)
  return `"${textOf(element).replaceAll(/["\\]/g, character => `\\${character}`)}"`
}
