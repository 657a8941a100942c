// Values of parameters as texts: PostgreSQL, not the driver, checks them.
import { parse as parseArray } from 'postgres-array'
import type { Driver } from './engine.ts'

type Serialize = (value: unknown) => string

/** An array or object is JSON for these, and otherwise an array. */
export const JSON_TYPES = [114, 3802]

/**
 * Two thirds of all array types are of the catalog's rows, which are no values; PGlite copies its parsers for
 * each query.
 */
const ARRAYS = `
select oid, typarray from pg_type where typarray <> 0 and (
  typtype <> 'c' or typnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
)`

/** Makes a driver accept any value for any type, including types created later, and read its arrays. */
export async function acceptAnyValue(driver: Driver): Promise<void> {
  const { rows } = await driver.query<{ oid: number; typarray: number }>(ARRAYS)
  for (const { oid, typarray } of rows) {
    driver.serializers[oid] = JSON_TYPES.includes(oid) ? jsonText : textOf
    // A value that is not an array would break the protocol.
    driver.serializers[typarray] = arrayText
    // PGlite parses a NULL in an array as the string "NULL".
    const readElement = (text: string): unknown => driver.parsers[oid]?.(text) ?? text
    driver.parsers[typarray] = (text: string): unknown => parseArray(text, readElement)
  }
}

export const jsonText: Serialize = value => (typeof value === 'string' ? value : JSON.stringify(value))

export const textOf: Serialize = value => {
  if (typeof value === 'string') return value
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'bigint' ? value.toString() : JSON.stringify(value)
}

export const arrayText: Serialize = value =>
  Array.isArray(value) ? `{${value.map(elementText).join()}}` : textOf(value)

function elementText(element: unknown): string {
  if (element === null || element === undefined) return 'NULL'
  if (Array.isArray(element)) return arrayText(element)
  return `"${textOf(element).replaceAll(/["\\]/g, character => `\\${character}`)}"`
}
