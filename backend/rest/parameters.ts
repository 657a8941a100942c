// Values on their way in and out: PostgreSQL, not PGlite, says what fits a column, and PostgREST how it is written.
import { parse as parseArray } from 'postgres-array'
import type { PgliteConnection } from '@supabase/lite/pglite'

type Driver = PgliteConnection['driver']
type Serialize = (value: unknown) => string

const BYTEA = 17
/** PGlite writes these as JSON, which is right for any value. */
const JSON_TYPES = [114, 3802]

/** Makes PGlite take any value for any type, of those too that come and go with the schema. */
export async function acceptAnyValue(driver: Driver): Promise<void> {
  await driver.refreshArrayTypes()
  const { rows } = await driver.query<{ oid: number; typarray: number }>(
    'select oid, typarray from pg_type where typarray <> 0',
  )
  for (const { oid, typarray } of rows) {
    if (!JSON_TYPES.includes(oid)) driver.serializers[oid] = textOf
    // A value that is no array would break the protocol.
    driver.serializers[typarray] = arrayText
    // PGlite reads a NULL in an array as a text of that name.
    const readElement = (text: string): unknown => driver.parsers[oid]?.(text) ?? text
    driver.parsers[typarray] = (text: string): unknown => parseArray(text, readElement)
  }
}

/** Values as PostgREST writes them, where the rest of the backend wants them as they are. */
export function readAsPostgrest(driver: Driver, isRest: () => boolean): void {
  const query = driver.query.bind(driver)
  driver.query = (sql, parameters, options) =>
    query(sql, parameters, isRest() ? { ...options, parsers: { [BYTEA]: (text: string) => text } } : options)
}

const textOf: Serialize = value => {
  if (typeof value === 'string') return value
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'bigint' ? value.toString() : JSON.stringify(value)
}

const arrayText: Serialize = value =>
  Array.isArray(value) ? `{${value.map(elementText).join()}}` : textOf(value)

function elementText(element: unknown): string {
  if (element === null || element === undefined) return 'NULL'
  if (Array.isArray(element)) return arrayText(element)
  return `"${textOf(element).replaceAll(/["\\]/g, character => `\\${character}`)}"`
}
