// JSON that keeps its numbers digit for digit, for a bigint key must find its own row and no other.

declare global {
  interface JSON {
    rawJSON(text: string): unknown
    parse(
      text: string,
      reviver: (name: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown
  }
}

/** Reads JSON; a number that JavaScript would round is written by `JSON.stringify` as it was read. */
export function parseExactly(text: string): unknown {
  return JSON.parse(text, (_name, value: unknown, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source
      ? JSON.rawJSON(source)
      : value,
  )
}
