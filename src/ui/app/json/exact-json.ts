// JSON in which numbers keep their digits: JavaScript's own would round a large key into another one.

interface ExactJson {
  /** Not in browsers from before 2025; there such a number becomes a text of its digits, which servers read too. */
  readonly rawJSON?: (text: string) => object
}

/** A number as its digits; `JSON.stringify` writes them as they are. */
export const exactNumber = (digits: string): unknown =>
  String(Number(digits)) === digits ? Number(digits) : ((JSON as ExactJson).rawJSON?.(digits) ?? digits)

type Reviver = (name: string, value: unknown, context?: { readonly source?: string }) => unknown

const keepDigits: Reviver = (_name, value, context) =>
  typeof value === 'number' && context?.source !== undefined && String(value) !== context.source
    ? exactNumber(context.source)
    : value

/** The value of a JSON text. @throws SyntaxError */
export const parseExact = (text: string): unknown => JSON.parse(text, keepDigits)

/** A number of JSON's grammar. */
export const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/
