// Formats any value as text; equal values give equal text.
import { encodeValue } from '../codec/codec.ts'

/** As JSON in the codec's form. */
export function textOfValue(value: unknown): string {
  if (value === undefined) return 'undefined'
  return JSON.stringify(encodeValue(value))
}
