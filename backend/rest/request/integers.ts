// Integers in parameters and headers.

/** PostgreSQL refuses what is beyond its `bigint`. */
const LIMIT = 2 ** 63

/** Decimal, hexadecimal or octal; `undefined` if the text is something else. Not exact beyond 2^53. */
export function readInteger(text: string): number | undefined {
  const match = /^(-?)\s*(\d+|0[xX][\da-fA-F]+|0[oO][0-7]+)$/.exec(text.trim())
  if (match === null) return undefined
  const [, sign = '', digits = ''] = match
  const value = Math.min(Number(digits), LIMIT)
  return sign === '' || value === 0 ? value : -value
}
