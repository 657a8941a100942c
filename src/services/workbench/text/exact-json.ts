// JSON parsing that keeps the digits of numbers: `JSON.parse` would round a large key to another one.

interface ExactJson {
  /**
   * Missing in browsers before 2025; there such a number becomes a string of its digits, which servers also
   * accept.
   */
  readonly rawJSON?: (text: string) => object
}

/** A number by its digits; `JSON.stringify` writes them unchanged. */
export const exactNumber = (digits: string): unknown =>
  String(Number(digits)) === digits ? Number(digits) : ((JSON as ExactJson).rawJSON?.(digits) ?? digits)

type Reviver = (name: string, value: unknown, context?: { readonly source?: string }) => unknown

const keepDigits: Reviver = (_name, value, context) =>
  typeof value === 'number' && context?.source !== undefined && String(value) !== context.source
    ? exactNumber(context.source)
    : value

/** Parses JSON text. @throws SyntaxError */
export const parseExact = (text: string): unknown => JSON.parse(text, keepDigits)

/** A JSON number. */
export const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/
