// Serializes report values as JSON text.
import { encodeValue } from './codec.ts'
import { isPlain } from './values.ts'

/**
 * Like `JSON.stringify`, with the codec's form for values without a JSON form: errors, maps, bigints, actors.
 */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) => (isJson(item) ? item : encodeValue(item))) ?? 'undefined'
}

function isJson(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'bigint'
  return Array.isArray(value) || isPlain(value)
}
