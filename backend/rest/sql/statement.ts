// The one statement of a request: PostgreSQL writes the body of the response, its counts and headers.
import { type CallPlan, isScalar } from '../plan/call.ts'
import type { BodyFormat, MediaPlan } from '../plan/media.ts'
import type { MutationPlan } from '../plan/mutation.ts'
import type { ReadPlan } from '../plan/read-plan.ts'
import type { Routine } from '../schema/index.ts'
import { call, SCALAR } from './call.ts'
import { type Fragment, identifier, join, literal, qualified, raw, sql, value } from './fragment.ts'
import { insertedCount, mutation } from './mutation.ts'
import { countedRows, readRows, RESULT } from './read.ts'

/** What the statement returns: one row. */
export interface ResultRow {
  /** Rows without the range, if they are counted. */
  readonly total: string | null
  /** Rows of the response. */
  readonly page: string
  readonly body: string | Uint8Array | null
  /** Of an insertion of one row: pairs of a column of the key and its filter, as JSON. */
  readonly location: string | null
  /** The settings `response.headers` and `response.status`. */
  readonly headers: string | null
  readonly status: string | null
  /** Of an upsert: rows that were inserted. */
  readonly inserted: string | null
}

export interface CountPlan {
  readonly isCounted: boolean
  /** The most rows to count: one more than an estimate needs. */
  readonly maxRows: number | undefined
}

const ROWS = raw('pgrst_rows')
const source = identifier(RESULT)

export function readStatement(read: ReadPlan, media: MediaPlan, count: CountPlan): Fragment {
  const { total, ctes } = counting(read, count)
  const all = sql`with ${join([sql`${source} as (${readRows(read)})`, ...ctes], ', ')}
select ${total} as total, count(*) as page, ${body(media.format, undefined)} as body, null as location, ${SETTINGS}, null as inserted
from (select * from ${source}) ${ROWS}`
  return explained(media, all)
}

export function callStatement(plan: CallPlan, read: ReadPlan, media: MediaPlan, count: CountPlan): Fragment {
  const { routine } = plan
  const { total, ctes } = counting(read, count)
  const page = raw(routine.returns.isSet ? 'count(*)' : '1')
  const all = sql`with ${join([sql`${source} as (${call(plan)})`, ...ctes], ', ')}
select ${total} as total, ${page} as page, ${body(media.format, routine)} as body, null as location, ${SETTINGS}, null as inserted
from (${readRows(read)}) ${ROWS}`
  return explained(media, all)
}

export function mutationStatement(
  plan: MutationPlan,
  read: ReadPlan,
  media: MediaPlan,
  locates: boolean,
): Fragment {
  // Without a body, nothing that the request selects is looked at.
  const rows = media.format.kind === 'none' ? sql`select * from ${source}` : readRows(read)
  const isCounted = plan.kind === 'upsert' || plan.conflict?.merges === true
  const located = locates ? location(plan.table.primaryKey) : raw('null')
  const all = sql`with ${source} as (${mutation(plan)})
select null as total, count(*) as page, ${body(media.format, undefined)} as body, ${located} as location, ${SETTINGS}, ${isCounted ? insertedCount : raw('null')} as inserted
from (${rows}) ${ROWS}`
  return explained(media, all)
}

const SETTINGS = raw(
  `nullif(current_setting('response.headers', true), '') as headers, nullif(current_setting('response.status', true), '') as status`,
)

function counting(
  read: ReadPlan,
  { isCounted, maxRows }: CountPlan,
): { total: Fragment; ctes: readonly Fragment[] } {
  if (!isCounted) return { total: raw('null'), ctes: [] }
  const limit = maxRows === undefined ? raw('') : sql` limit ${value(`${maxRows}`)}`
  return {
    total: raw('(select count(*) from pgrst_source_count)'),
    ctes: [sql`pgrst_source_count as (${countedRows(read)}${limit})`],
  }
}

/** The planner's estimate of the number of rows. */
export const estimateStatement = (read: ReadPlan): Fragment => sql`explain (format json) ${countedRows(read)}`

function body(format: BodyFormat, routine: Routine | undefined): Fragment {
  const isOne = routine !== undefined && !routine.returns.isSet
  const each = routine !== undefined && isScalar(routine) ? sql`${ROWS}.${identifier(SCALAR)}` : ROWS
  switch (format.kind) {
    case 'none':
      return raw('null')
    case 'array':
    case 'object': {
      const all = sql`json_agg(${each})`
      const isSingle = format.kind === 'object' || isOne
      const json = isSingle ? sql`${all}->0` : all
      const stripped = format.stripsNulls ? sql`json_strip_nulls(${json})` : json
      return sql`coalesce(${stripped}, ${raw(isSingle ? `'null'` : `'[]'`)})::text`
    }
    case 'csv':
      return CSV
    case 'geojson':
      return sql`json_build_object('type', 'FeatureCollection', 'features', coalesce(json_agg(ST_AsGeoJSON(${ROWS})::json), '[]'))::text`
    case 'custom': {
      const { function: name, of } = format.handler
      const scalar = routine !== undefined && isOne && isScalar(routine)
      const argument = scalar ? each : of ? sql`${ROWS}::${qualified(of)}` : ROWS
      return sql`${qualified(name)}(${argument})`
    }
  }
}

/** A line with the names, and one for each row in the text format of rows. */
const CSV = raw(`(select coalesce(string_agg(name, ','), '') from (
  select json_object_keys(row_to_json(first)) as name from (select * from pgrst_source limit 1) first
) names) || E'\\n' || coalesce(string_agg(substring(pgrst_rows::text, 2, length(pgrst_rows::text) - 2), E'\\n'), '')`)

/** The key of the row, if there is one. */
function location(key: readonly string[]): Fragment {
  if (key.length === 0) return raw('null')
  const names = join(key.map(literal), ', ')
  return sql`case when count(*) = 1 then (
  select json_agg(json_build_array(each.key, coalesce('eq.' || each.value, 'is.null')))::text
  from (select row_to_json(one) as row from ${source} one limit 1) data, json_each_text(data.row) each
  where each.key in (${names})
) end`
}

function explained({ explain }: MediaPlan, statement: Fragment): Fragment {
  if (!explain) return statement
  const options = [`format ${explain.format}`, ...explain.options]
  return sql`explain (${raw(options.join(', '))}) ${statement}`
}
