// JSON with exact numbers, because a bigint key must match only its own row.

declare global {
  interface JSON {
    rawJSON(text: string): unknown
    isRawJSON(value: unknown): boolean
    parse(
      text: string,
      reviver: (name: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown
  }
}

/** Parses JSON; a number that JavaScript would round is written unchanged by `JSON.stringify`. */
export function parseExactly(text: string): unknown {
  return JSON.parse(text, (_name, value: unknown, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source
      ? JSON.rawJSON(source)
      : value,
  )
}

/** A number with its original digits, since JavaScript rounds. */
export class WrittenNumber {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }
}

/** Parses JSON; numbers stay as they are written. */
export function parseWritten(text: string): unknown {
  return JSON.parse(text, (_name, value: unknown, { source }) =>
    typeof value === 'number' && source !== undefined ? new WrittenNumber(source) : value,
  )
}
