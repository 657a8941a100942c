// Which subscriber may see which change, asked of the database once per claims, table and filter.
import { toSql } from './filters.ts'
import { quote, tableKey, type Row, type TableShape } from './table-shape.ts'
import type { Subscription } from './changes.ts'
import type { Member } from './hub.ts'
import type { Database, Queries } from '../database.ts'
import type { Claims } from '../tokens.ts'

export interface RowChange {
  readonly number: number
  readonly schema: string
  readonly table: string
  readonly type: 'INSERT' | 'UPDATE' | 'DELETE'
  readonly commit_timestamp: string
  readonly record?: Row
  readonly old_record?: Row
}

/** Answers the subscriptions of a member that a change, by its index, goes to. */
export type Visible = (member: Member, index: number) => readonly Subscription[]

type Question = {
  readonly key: string
  readonly shape: TableShape
  readonly conditions: Subscription['conditions']
}

export async function visibleChanges(
  database: Database,
  members: readonly Member[],
  changes: readonly RowChange[],
  shapes: ReadonlyMap<string, TableShape>,
): Promise<Visible> {
  const answers = new Map<string, ReadonlySet<number>>()
  // A member may get a new token while the database is asked; its answers are those of the old one.
  const claimsKeys = new Map(members.map(member => [member, keyOf(member.claims)]))
  const tables = [...Map.groupBy(changes, change => tableKey(change.schema, change.table)).keys()]
  for (const [claimsKey, group] of Map.groupBy(members, member => claimsKeys.get(member) ?? '')) {
    const questions = questionsOf(group, tables, shapes)
    const claims = group[0]?.claims
    if (!claims || questions.size === 0) continue
    await database.as(claims, async tx => {
      for (const question of questions.values()) {
        answers.set(`${claimsKey} ${question.key}`, await ask(tx, question, changes))
      }
    })
  }
  return (member, index) => {
    const change = changes[index]
    if (!change) return []
    const table = tableKey(change.schema, change.table)
    return member.subscriptions.filter(
      subscription =>
        wants(subscription, table) &&
        (subscription.event === '*' || subscription.event === change.type) &&
        answers.get(`${claimsKeys.get(member)} ${questionKey(subscription, table)}`)?.has(index),
    )
  }
}

/** Claims without the times, so that two tokens of one session share an answer. */
function keyOf({ iat: _iat, exp: _exp, ...claims }: Claims): string {
  return JSON.stringify(claims)
}

function questionKey(subscription: Subscription, table: string): string {
  return `${table} ${JSON.stringify(subscription.conditions)}`
}

function wants(subscription: Subscription, table: string): boolean {
  if (subscription.table !== undefined) return tableKey(subscription.schema, subscription.table) === table
  return subscription.schema === '*' || table.startsWith(`${quote(subscription.schema)}.`)
}

function questionsOf(
  members: readonly Member[],
  tables: readonly string[],
  shapes: ReadonlyMap<string, TableShape>,
): ReadonlyMap<string, Question> {
  const questions = new Map<string, Question>()
  for (const subscription of members.flatMap(member => member.subscriptions)) {
    for (const table of tables) {
      const shape = shapes.get(table)
      if (!shape || !wants(subscription, table)) continue
      const key = questionKey(subscription, table)
      questions.set(key, { key, shape, conditions: subscription.conditions })
    }
  }
  return questions
}

/** Indices of the changes that the current role may see and that pass the filter. */
async function ask(
  tx: Queries,
  question: Question,
  changes: readonly RowChange[],
): Promise<ReadonlySet<number>> {
  const { shape } = question
  const [privilege] = await tx.query<{ granted: boolean }>(
    `select has_table_privilege($1, 'select') as granted`,
    [shape.name],
  )
  if (!privilege?.granted) return new Set()
  const rows = changes.flatMap((change, index) => {
    if (tableKey(change.schema, change.table) !== shape.name) return []
    return change.record
      ? { index, row: change.record, isGone: false }
      : { index, row: shape.oldRecord(change.old_record ?? {}), isGone: true }
  })
  const filter = toSql(question.conditions, shape.types, 'c.r', 2)
  const sameRow = shape.primaryKey.map(column => `t.${quote(column)} = (c.r).${quote(column)}`).join(' and ')
  // Policies cannot speak of a row that is gone; without a key a row cannot be found again, so nobody sees it.
  const allowed = shape.hasPolicies
    ? `(c.gone or exists (select from ${shape.name} t where ${sameRow || 'false'}))`
    : 'true'
  const seen = await tx.query<{ index: number }>(
    `select c.index from (
       select (e ->> 'index')::int as index, (e ->> 'isGone')::boolean as gone,
         jsonb_populate_record(null::${shape.name}, e -> 'row') as r
       from jsonb_array_elements($1::jsonb) e offset 0
     ) c where ${allowed} and ${filter.sql}`,
    [JSON.stringify(rows), ...filter.parameters],
  )
  return new Set(seen.map(row => row.index))
}
