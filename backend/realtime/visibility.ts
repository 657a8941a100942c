// Which subscriber may see which change, asked of the database once per claims, table and filter.
import { toSql } from './filters.ts'
import { quote, tableKey, type Row, type TableShape } from './table-shape.ts'
import type { Subscription } from './changes.ts'
import type { Channel } from './channel.ts'
import { StoppedError } from '../mutex.ts'
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

export interface Visibility {
  /** The subscriptions of a member that a change, by its index, goes to. */
  seenBy(member: Channel, index: number): readonly Subscription[]
  /** Members that may miss changes, since the database gave an error for one of their questions. */
  readonly unanswered: readonly Channel[]
}

type Question = {
  readonly key: string
  readonly shape: TableShape
  readonly conditions: Subscription['conditions']
}

export async function visibleChanges(
  database: Database,
  members: readonly Channel[],
  changes: readonly RowChange[],
  shapes: ReadonlyMap<string, TableShape>,
): Promise<Visibility> {
  const answers = new Map<string, ReadonlySet<number> | 'failed'>()
  // A member may get a new token while the database is asked; its answers are those of the old one.
  const claimsOf = new Map(members.map(member => [member, member.claims]))
  const claimsKeys = new Map(members.map(member => [member, keyOf(member.claims)]))
  const tables = [...Map.groupBy(changes, change => tableKey(change.schema, change.table)).keys()]
  const answer = (member: Channel, subscription: Subscription, table: string) =>
    wants(subscription, table)
      ? answers.get(`${claimsKeys.get(member)} ${questionKey(subscription, table)}`)
      : undefined
  for (const [claimsKey, group] of Map.groupBy(members, member => claimsKeys.get(member) ?? '')) {
    const claims = group[0] && claimsOf.get(group[0])
    if (!claims) continue
    for (const question of questionsOf(group, tables, shapes).values()) {
      // A pattern or a policy may fail on a row; that is the matter of those who asked, and of nobody else.
      const seen = await database.as(claims, tx => ask(tx, question, changes)).catch(failed)
      answers.set(`${claimsKey} ${question.key}`, seen)
    }
  }
  return {
    seenBy(member, index) {
      const change = changes[index]
      if (!change) return []
      const table = tableKey(change.schema, change.table)
      return member.subscriptions.filter(subscription => {
        const seen = answer(member, subscription, table)
        return ['*', change.type].includes(subscription.event) && seen instanceof Set && seen.has(index)
      })
    },
    unanswered: members.filter(member =>
      member.subscriptions.some(one => tables.some(table => answer(member, one, table) === 'failed')),
    ),
  }
}

function failed(error: unknown): 'failed' {
  if (error instanceof StoppedError) throw error
  return 'failed'
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
  members: readonly Channel[],
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
