// Takes a batch of row changes to the subscribers whose filters they pass and whose policies show the row.
import type { Database } from '../../database/index.ts'
import type { Claims } from '../../keys/tokens.ts'
import type { RowChange } from './announcements.ts'
import { filterKey, passFilters, type Filtered, type Passing } from './passing.ts'
import { changeData, rowError } from './payload.ts'
import type { Subscription } from './subscription.ts'
import { roleOf, tableKey, type TableShape } from './table-shape.ts'
import { askPolicies, claimsKey } from './visibility.ts'

/** A channel, as far as row changes go. */
export interface Listener {
  readonly topic: string
  readonly claims: Claims
  readonly subscriptions: readonly Subscription[]
  push(event: string, payload: unknown): void
}

export interface Batch {
  readonly database: Pick<Database, 'owner' | 'as'>
  readonly changes: readonly RowChange[]
  readonly shapes: ReadonlyMap<string, TableShape>
}

export interface Delivery {
  /** Sends every member what it may know of a change. */
  push(change: RowChange): void
  /** Members that miss changes, since the database failed to answer for them. */
  readonly unanswered: ReadonlySet<Listener>
}

/** Members of the same claims, as they were when the batch began; a token that comes later counts for the next. */
interface Audience {
  readonly claims: Claims
  readonly role: string
  readonly members: readonly { readonly channel: Listener; readonly subscriptions: readonly Subscription[] }[]
}

interface Answers {
  readonly filters: ReadonlyMap<string, Passing>
  readonly policies: Map<Audience, ReadonlyMap<string, Passing>>
}

type Answer = boolean | 'failed'

export async function prepareDelivery(batch: Batch, channels: readonly Listener[]): Promise<Delivery> {
  const audiences = toAudiences(channels)
  const { database, changes, shapes } = batch
  const filters = await passFilters(database, filtersOf(audiences, batch), changes, shapes)
  const answers: Answers = { filters, policies: new Map() }
  for (const audience of audiences) {
    const wanted = rowsToShow(audience, batch, answers)
    answers.policies.set(audience, await askPolicies(database, audience.claims, wanted, changes, shapes))
  }
  const unanswered = new Set<Listener>()
  return {
    unanswered,
    push(change) {
      const index = changes.indexOf(change)
      const shape = shapeOf(change, batch)
      if (!shape || index < 0) return
      const tell = createTeller(change, shape)
      for (const audience of audiences) {
        for (const { channel, subscriptions } of audience.members) {
          const found = subscriptions.map(one => ({
            one,
            answer: seen(audience, one, index, batch, answers),
          }))
          if (found.some(({ answer }) => answer === 'failed')) unanswered.add(channel)
          // A member may have left, or asked anew, in the meantime.
          const heard = found.filter(
            ({ one, answer }) => answer === true && channel.subscriptions.includes(one),
          )
          tell(
            channel,
            audience.role,
            heard.map(({ one }) => one),
          )
        }
      }
    },
  }
}

function toAudiences(channels: readonly Listener[]): Audience[] {
  const members = channels.filter(({ subscriptions }) => subscriptions.length > 0)
  return [...Map.groupBy(members, ({ claims }) => claimsKey(claims)).values()].flatMap(group => {
    const claims = group[0]?.claims
    if (!claims) return []
    const role = roleOf(claims)
    return {
      claims,
      role,
      members: group.map(channel => ({ channel, subscriptions: channel.subscriptions })),
    }
  })
}

function shapeOf({ schema, table }: RowChange, { shapes }: Batch): TableShape | undefined {
  return shapes.get(tableKey(schema, table))
}

/** Whether a subscription is about a change, whatever its row holds. */
export function wants({ event, schema, table }: Subscription, change: RowChange): boolean {
  return (
    (event === '*' || event === change.type) &&
    (schema === '*' || schema === change.schema) &&
    (table === undefined || table === change.table)
  )
}

/** Every filter once for each table that it is about. */
function filtersOf(audiences: readonly Audience[], { changes }: Batch): ReadonlyMap<string, Filtered> {
  const wanted = new Map<string, Filtered>()
  const tables = [
    ...new Map(changes.map(one => [`${one.type} ${tableKey(one.schema, one.table)}`, one])).values(),
  ]
  for (const subscription of audiences.flatMap(({ members }) => members.flatMap(one => one.subscriptions))) {
    if (subscription.conditions.length === 0) continue
    for (const change of tables.filter(one => wants(subscription, one))) {
      const table = tableKey(change.schema, change.table)
      wanted.set(filterKey(table, subscription), { table, conditions: subscription.conditions })
    }
  }
  return wanted
}

/** Indices of the changes whose rows an audience must be allowed to see before any of it is told. */
function rowsToShow(audience: Audience, batch: Batch, answers: Answers): ReadonlySet<number> {
  const subscriptions = audience.members.flatMap(one => one.subscriptions)
  return new Set(
    [...batch.changes.keys()].filter(index => {
      const change = batch.changes[index]
      const shape = change && shapeOf(change, batch)
      if (!shape || !hasPolicy(change, shape, audience.role)) return false
      return subscriptions.some(one => passes(one, index, audience.role, batch, answers) === true)
    }),
  )
}

/** Policies can't speak of a row that is gone. */
function hasPolicy(change: RowChange, shape: TableShape, role: string): boolean {
  return shape.hasPolicies && change.type !== 'DELETE' && rowError(change, shape, role) === undefined
}

function passes(
  subscription: Subscription,
  index: number,
  role: string,
  batch: Batch,
  { filters }: Answers,
): Answer {
  const change = batch.changes[index]
  const shape = change && shapeOf(change, batch)
  if (!shape || !wants(subscription, change)) return false
  if (subscription.conditions.length === 0) return true
  // A filter must not ask about what its role may no longer read.
  const hidden = new Set(shape.columns.flatMap(one => (one.readers.includes(role) ? [] : [one.name])))
  if (subscription.conditions.some(({ column }) => hidden.has(column))) return false
  return has(filters.get(filterKey(shape.name, subscription)), index)
}

function seen(
  audience: Audience,
  subscription: Subscription,
  index: number,
  batch: Batch,
  answers: Answers,
): Answer {
  const change = batch.changes[index]
  const shape = change && shapeOf(change, batch)
  if (!shape || !wants(subscription, change)) return false
  // Why a row can't be told is told to all who asked for the table.
  if (rowError(change, shape, audience.role) !== undefined) return true
  const passing = passes(subscription, index, audience.role, batch, answers)
  if (passing !== true || !hasPolicy(change, shape, audience.role)) return passing
  return has(answers.policies.get(audience)?.get(shape.name), index)
}

function has(passing: Passing | undefined, index: number): Answer {
  return passing === 'failed' ? 'failed' : (passing?.has(index) ?? false)
}

/** Tells members of one change; who asked for other columns is told apart. */
function createTeller(change: RowChange, shape: TableShape) {
  const known = new Map<string, unknown>()
  return (channel: Listener, role: string, heard: readonly Subscription[]) => {
    for (const [columns, group] of Map.groupBy(heard, ({ select }) =>
      JSON.stringify(select?.toSorted() ?? null),
    )) {
      const key = `${role} ${columns}`
      const data = known.get(key) ?? changeData(change, shape, role, group[0]?.select)
      known.set(key, data)
      channel.push('postgres_changes', { ids: group.map(({ id }) => id), data })
    }
  }
}
