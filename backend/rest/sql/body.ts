// SQL that reads the body of a request: PostgreSQL parses the JSON, so that each value keeps all its digits.
import { type Fragment, identifier, join, literal, NOTHING, raw, sql, value } from './fragment.ts'

export interface BodyColumn {
  readonly name: string
  readonly type: string
  readonly transform: string | undefined
  readonly default: string | undefined
}

export interface Body {
  readonly text: string
  readonly isObject: boolean
}

export interface BodyOptions {
  /** Whether what a row lacks gets the column's default. */
  readonly fillsDefaults?: boolean
  readonly takesFirst?: boolean
}

/** The name of a row of the body. */
const BODY = raw('pgrst_body')

/** What follows `from`: a row named `pgrst_body` for each object of the body. */
export function bodyRows(body: Body, columns: readonly BodyColumn[], options: BodyOptions = {}): Fragment {
  const { fillsDefaults = false, takesFirst = false } = options
  const type = fillsDefaults ? 'jsonb' : 'json'
  const payload = sql`(select ${value(body.text)}::${raw(type)} as json_data) pgrst_payload`
  const [defaults, data] = fillsDefaults
    ? [sql`, lateral (${withDefaults(body, columns)}) pgrst_filled`, raw('pgrst_filled.json_data')]
    : [NOTHING, raw('pgrst_payload.json_data')]
  const rows =
    columns.length === 0
      ? emptyRows(body, type, data)
      : sql`${raw(`${type}_to_record${body.isObject ? '' : 'set'}`)}(${data}) as _(${join(columns.map(typedColumn), ', ')})`
  const list = columns.length === 0 ? NOTHING : join(columns.map(converted), ', ')
  const limit = raw(takesFirst ? ' limit 1' : '')
  return sql`${payload}${defaults}, lateral (select ${list} from ${rows}${limit}) ${BODY}`
}

/** An object without keys is a row too. */
const emptyRows = ({ isObject }: Body, type: string, data: Fragment): Fragment =>
  isObject ? raw('(values (1)) _') : sql`${raw(`${type}_array_elements`)}(${data}) _`

function withDefaults({ isObject }: Body, columns: readonly BodyColumn[]): Fragment {
  const pairs = columns.flatMap(column =>
    column.default === undefined ? [] : [sql`${literal(column.name)}, ${raw(column.default)}`],
  )
  const filled = sql`jsonb_build_object(${join(pairs, ', ')})`
  return isObject
    ? sql`select ${filled} || pgrst_payload.json_data as json_data`
    : sql`select jsonb_agg(${filled} || each) as json_data from jsonb_array_elements(pgrst_payload.json_data) each`
}

const typedColumn = ({ name, type }: BodyColumn): Fragment => sql`${identifier(name)} ${raw(type)}`

const converted = ({ name, transform }: BodyColumn): Fragment =>
  transform === undefined
    ? identifier(name)
    : sql`${raw(transform)}(${identifier(name)}) as ${identifier(name)}`

export const bodyColumn = (name: string): Fragment => sql`${BODY}.${identifier(name)}`
