// SQL that writes.
import type { MutationPlan } from '../plan/mutation.ts'
import type { Alias } from '../plan/read-plan.ts'
import { bodyColumn, bodyRows } from './body.ts'
import { column, condition } from './fields.ts'
import { type Fragment, identifier, join, NOTHING, qualified, raw, sql } from './fragment.ts'

/** A setting of the transaction that counts the inserted rows. */
const INSERTED = 'pgrst.inserted'

const COUNT = `nullif(current_setting('${INSERTED}', true), '')::int`

/** The number of rows that were inserted, not updated; NULL if it was not counted. */
export const insertedCount: Fragment = raw(COUNT)

export function mutation(plan: MutationPlan): Fragment {
  if (plan.kind === 'delete')
    return sql`delete from ${qualified(plan.table)}${where(plan, { table: plan.table })}${returning(plan)}`
  return plan.kind === 'update' ? update(plan) : insert(plan)
}

/** Counts a row before it is inserted, or takes it back where it is updated instead. */
const counted = (by: 1 | -1): Fragment =>
  raw(`set_config('${INSERTED}', (coalesce(${COUNT}, 0) + ${by})::text, true) is not null`)

function insert(plan: MutationPlan): Fragment {
  const { body, columns, conflict, fillsDefaults, kind, table } = plan
  const names = columns.map(({ name }) => identifier(name))
  const list = names.length === 0 ? NOTHING : sql` (${join(names, ', ')})`
  const values = join(
    columns.map(({ name }) => bodyColumn(name)),
    ', ',
  )
  const rows = bodyRows(body ?? NO_ROWS, columns, { fillsDefaults })
  const isCounted = kind === 'upsert' || conflict?.merges === true
  const conditions = [
    ...(isCounted ? [counted(1)] : []),
    ...(kind === 'upsert' ? plan.conditions.map(one => condition(BODY_ALIAS, one, () => NOTHING)) : []),
  ]
  const filter = conditions.length === 0 ? NOTHING : sql` where ${join(conditions, ' and ')}`
  return sql`insert into ${qualified(table)}${list} select ${values} from ${rows}${filter}${onConflict(plan)}${returning(plan)}`
}

const NO_ROWS = { text: '[]', isObject: false }
const BODY_ALIAS: Alias = { name: 'pgrst_body' }

function onConflict({ columns, conflict }: MutationPlan): Fragment {
  if (!conflict || conflict.columns.length === 0) return NOTHING
  const target = sql` on conflict (${join(conflict.columns.map(identifier), ', ')}) do `
  if (!conflict.merges || columns.length === 0) return sql`${target}nothing`
  const sets = columns.map(({ name }) => sql`${identifier(name)} = excluded.${identifier(name)}`)
  return sql`${target}update set ${join(sets, ', ')} where ${counted(-1)}`
}

function update(plan: MutationPlan): Fragment {
  const { body, columns, fillsDefaults, table } = plan
  // Nothing to set: no row is touched, but the columns to return have to exist.
  if (columns.length === 0) return sql`select ${returnedList(plan)} from ${qualified(table)} where false`
  const sets = columns.map(({ name }) => sql`${identifier(name)} = ${bodyColumn(name)}`)
  const rows = bodyRows(body ?? NO_ROWS, columns, { fillsDefaults, takesFirst: true })
  const filter = where(plan, { table })
  return sql`update ${qualified(table)} set ${join(sets, ', ')} from ${rows}${filter}${returning(plan)}`
}

function where({ conditions }: MutationPlan, alias: Alias): Fragment {
  if (conditions.length === 0) return NOTHING
  const all = conditions.map(one => condition(alias, one, () => NOTHING))
  return sql` where ${join(all, ' and ')}`
}

const returning = (plan: MutationPlan): Fragment => sql` returning ${returnedList(plan)}`

/** Without columns to return, the rows are only counted. */
function returnedList({ returning: names, table }: MutationPlan): Fragment {
  if (names.length === 0) return raw('1')
  return join(
    names.map(name => column({ table }, name)),
    ', ',
  )
}
