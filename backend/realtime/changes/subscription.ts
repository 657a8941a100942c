// A subscription to row changes, validated against the publication and the tables like the original.
import { textOf } from '../../shared/fields.ts'
import { likeProblem } from '../../shared/like-patterns.ts'
import { CONSTANTS, isPattern, parseFilter, toSql, type Condition } from './filters.ts'
import { compilePattern } from './patterns.ts'
import { describeTables, type Column, type TableShape } from './table-shape.ts'
import type { ChangeRequest } from '../join-config.ts'
import type { Queries } from '../../database/index.ts'

export interface Subscription {
  readonly id: number
  readonly event: string
  /** `*` for all. */
  readonly schema: string
  /** `undefined` for all. */
  readonly table: string | undefined
  readonly select: readonly string[] | undefined
  readonly conditions: readonly Condition[]
  /** The conditions as a normalized key. */
  readonly filter: string
}

/** The error that realtime reports for an invalid request. */
class SubscriptionError extends Error {
  override name = 'SubscriptionError'
}

const MOST_VALUES = 100
const PARAMETERS = 'Unable to subscribe to changes with given parameters.'

/** SQLSTATE codes by the names used in error messages. */
const CODE_NAMES: Readonly<Record<string, string>> = {
  '22P02': 'invalid_text_representation',
  '22003': 'numeric_value_out_of_range',
  '22007': 'invalid_datetime_format',
  '22008': 'datetime_field_overflow',
  '22025': 'invalid_escape_sequence',
  '42883': 'undefined_function',
  '42704': 'undefined_object',
  P0001: 'raise_exception',
}

/** Validates a request for a role; throws with a message for the client. */
export async function checkRequest(
  tx: Queries,
  request: ChangeRequest,
  role: string,
  id: number,
): Promise<Subscription> {
  const { event, schema } = request
  const conditions = parseFilter(request.filter ?? '')
  checkLikes(conditions)
  const table = request.table && request.table !== '*' ? request.table : undefined
  const select = request.select?.length ? request.select : undefined
  if (select && (schema === '*' || table === undefined)) {
    throw new SubscriptionError(
      'Column selection is not supported for wildcard subscriptions. Provide an explicit schema and table name.',
    )
  }
  const described = describe(event, schema, table, conditions, select)
  const tables = await publishedTables(tx, schema, table)
  if (tables.length === 0) {
    throw new SubscriptionError(
      `${PARAMETERS} Please check Realtime is enabled for the given connect parameters: [${described}]`,
    )
  }
  try {
    // Only column names and values are checked here, so without any, no query is needed.
    if (conditions.length > 0 || select) await checkColumns(tx, tables, conditions, select ?? [], role)
  } catch (error) {
    throw new SubscriptionError(
      `${PARAMETERS} An exception happened so please check your connect parameters: [${described}]. Exception: ${wordError(error)}`,
    )
  }
  return { id, event, schema, table, select, conditions, filter: JSON.stringify(conditions) }
}

async function publishedTables(tx: Queries, schema: string, table: string | undefined) {
  return tx.query<{ schema: string; table: string }>(
    `select schemaname "schema", tablename "table" from pg_publication_tables
     where pubname = 'supabase_realtime' and $1::text in ('*', schemaname) and coalesce($2::text, tablename) = tablename`,
    [schema, table ?? null],
  )
}

async function checkColumns(
  tx: Queries,
  tables: readonly { schema: string; table: string }[],
  conditions: readonly Condition[],
  select: readonly string[],
  role: string,
): Promise<void> {
  const checked = new Set<string>()
  for (const shape of (await describeTables(tx, tables)).values()) {
    const { columns } = shape
    const readable = new Map(columns.filter(one => one.readers.includes(role)).map(one => [one.name, one]))
    for (const condition of conditions) {
      const column = readable.get(condition.column)
      if (!column) throw new Error(`invalid column for filter ${condition.column}`)
      const key = `${conditions.indexOf(condition)} ${column.sqlType}`
      if (!checked.has(key)) {
        await checkCondition(tx, condition, column)
        await tryCondition(tx, condition, shape)
      }
      checked.add(key)
    }
    const unknown = select.find(name => !readable.has(name))
    if (unknown !== undefined) throw new Error(`invalid column for select ${unknown}`)
  }
}

async function checkCondition(tx: Queries, condition: Condition, { sqlType }: Column): Promise<void> {
  const { operator, value } = condition
  if (operator === 'is') return checkConstant(value, sqlType)
  if (['like', 'ilike', 'match', 'imatch'].includes(operator)) return checkPattern(tx, condition, sqlType)
  if (operator === 'in') {
    const [list] = await tx.query<{ length: number }>(
      `select coalesce(array_length($1::text::${sqlType}[], 1), 0) as length`,
      [value],
    )
    if ((list?.length ?? 0) > MOST_VALUES) throw new Error('too many values for `in` filter. Maximum 100')
  } else if (sqlType !== 'bytea') await tx.query(`select $1::text::${sqlType}`, [value])
}

/** Some types lack an operator, which PostgreSQL only reports for a query that uses it. */
async function tryCondition(tx: Queries, condition: Condition, shape: TableShape): Promise<void> {
  if (isPattern(condition) || condition.operator === 'is') return
  await tx.query(`select ${toSql(condition, shape, `null::${shape.name}`, () => '$1')}`, [condition.value])
}

function checkConstant(value: string, sqlType: string): void {
  if (!CONSTANTS.includes(value)) {
    throw new Error('invalid value for is filter: must be null, true, false, or unknown')
  }
  if (value !== 'null' && sqlType !== 'boolean') {
    throw new Error(`is ${value} filter requires a boolean column, got ${sqlType}`)
  }
}

function checkLikes(conditions: readonly Condition[]): void {
  const likes = conditions.filter(({ operator }) => operator === 'like' || operator === 'ilike')
  const reason = likeProblem(likes.map(({ value }) => value))
  if (reason !== undefined) throw new SubscriptionError(`Error parsing \`filter\` params: ${reason}`)
}

async function checkPattern(tx: Queries, condition: Condition, sqlType: string): Promise<void> {
  const { operator } = condition
  const takes = await tx.query(`select from pg_operator where oprname = $1 and oprleft = $2::text::regtype`, [
    isPattern(condition) ? '~' : '~~',
    sqlType,
  ])
  if (takes.length === 0) {
    throw new Error(`operator ${operator} requires a text-compatible column type, got ${sqlType}`)
  }
  if (!isPattern(condition)) return checkEscapes(condition)
  try {
    compilePattern(condition, operator === 'imatch' || sqlType === 'citext')
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace('(?s)', '') : String(error)
    throw new Error(`invalid regular expression for ${operator} filter: ${reason}`, { cause: error })
  }
}

/** PostgreSQL rejects such a pattern only once a text has matched everything before its end. */
function checkEscapes({ value }: Condition): void {
  let end = value.length
  while (value[end - 1] === '\\') end -= 1
  if ((value.length - end) % 2 === 0) return
  throw Object.assign(new Error('LIKE pattern must not end with escape character'), { code: '22025' })
}

function wordError(error: unknown): string {
  const code = textOf(error, 'code') ?? 'P0001'
  const name = CODE_NAMES[code]
  return `ERROR ${code}${name ? ` (${name})` : ''} ${textOf(error, 'message') ?? ''}`
}

/** The request in the notation of the original's messages. */
function describe(
  event: string,
  schema: string,
  table: string | undefined,
  conditions: readonly Condition[],
  select: readonly string[] | undefined,
): string {
  const words = (list: readonly unknown[]) => list.map(item => JSON.stringify(item)).join(', ')
  const filters = conditions.map(
    ({ column, operator, value, negated }) => `{${words([column, operator, value, negated])}}`,
  )
  return `event: ${event}, schema: ${schema}, table: ${table ?? '*'}, filters: [${filters.join(', ')}], select: ${select ? `[${words(select)}]` : 'nil'}`
}
