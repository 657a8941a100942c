// Parts of SQL statements: texts, and values that become parameters.
import type { SeriesStatement } from '../../database/index.ts'
import { RestError } from '../rest-error.ts'

/** A value in PostgreSQL's text format, or bytes; its type is what PostgreSQL infers. */
export type Value = string | Uint8Array | null

interface Parameter {
  readonly value: Value
}

export interface Fragment {
  readonly parts: readonly (string | Parameter)[]
}

/** As many as the protocol has room for. */
const MOST_PARAMETERS = 65_535

/** The texts of the template are SQL; everything in it is a fragment. */
export const sql = (texts: TemplateStringsArray, ...fragments: readonly Fragment[]): Fragment => ({
  parts: texts.flatMap((text, at) => [text, ...(fragments[at]?.parts ?? [])]),
})

/** SQL of our own, or a type or expression as PostgreSQL printed it. */
export const raw = (text: string): Fragment => ({ parts: [text] })

export const value = (of: Value): Fragment => ({
  parts: [{ value: typeof of === 'string' ? of.replaceAll('\0', '') : of }],
})

export const NOTHING: Fragment = { parts: [] }

export const identifier = (name: string): Fragment => raw(quoted(name))

export const quoted = (name: string): string => `"${name.replaceAll('\0', '').replaceAll('"', '""')}"`

/** A literal, for names that the statement's text depends on anyway. */
export const literal = (text: string): Fragment =>
  raw(
    text.includes('\\')
      ? `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
      : `'${text.replaceAll("'", "''")}'`,
  )

/** Without a schema, a name is found in the search path. */
export const qualified = ({ schema, name }: { readonly schema: string; readonly name: string }): Fragment =>
  raw(schema === '' ? quoted(name) : `${quoted(schema)}.${quoted(name)}`)

export function join(fragments: readonly Fragment[], separator: string): Fragment {
  return { parts: fragments.flatMap(({ parts }, at) => (at === 0 ? parts : [separator, ...parts])) }
}

/** Each value is one parameter: the text of a statement does not depend on the values. */
export function statementOf({ parts }: Fragment): SeriesStatement {
  const values: Value[] = []
  const texts = parts.map(part => {
    if (typeof part === 'string') return part
    values.push(part.value)
    return `$${values.length}`
  })
  if (values.length > MOST_PARAMETERS)
    throw new RestError({
      status: 400,
      code: '54000',
      message: `The request has ${values.length} values`,
      details: `A statement of PostgreSQL has at most ${MOST_PARAMETERS}.`,
      hint: 'Use in.(…) for many values of a column, or several requests.',
    })
  return { sql: texts.join(''), values }
}

/** The text of an array, which leaves the type of its elements to PostgreSQL. */
export const arrayText = (texts: readonly string[]): string =>
  `{${texts.map(text => `"${text.replaceAll('\0', '').replaceAll(/["\\]/g, character => `\\${character}`)}"`).join()}}`
