// Any value as text, the same for values that are alike.
import { encodeValue } from '../codec.ts'

/** As JSON in the codec's words. */
export function textOfValue(value: unknown): string {
  if (value === undefined) return 'undefined'
  return JSON.stringify(encodeValue(value))
}
