// Delivers a batch of row changes to subscribers whose filters match and whose policies show the row.
import type { Database } from '../../database/index.ts'
import type { Claims } from '../../keys/index.ts'
import type { RowChange } from './announcements.ts'
import { TOO_DEEP } from './deep-values.ts'
import type { Condition } from './filters.ts'
import { passFilters, type Passing } from './passing.ts'
import { changeData, rowError } from './payload.ts'
import type { Subscription } from './subscription.ts'
import { roleOf, tableKey, type Row, type TableShape } from './table-shape.ts'
import { claimsKey, visibleChanges } from './visibility.ts'

/** The parts of a channel that row changes need. */
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
  /** Sends the change to every member that may see it, or an error message if it cannot be delivered. */
  push(change: RowChange): void
}

/** Members with equal claims at the start of the batch; a token update applies from the next batch on. */
interface Audience {
  readonly claims: Claims
  readonly role: string
  readonly members: readonly { readonly channel: Listener; readonly subscriptions: readonly Subscription[] }[]
}

/** The part of a batch that an audience may see, and which of its changes match its filters. */
interface View {
  readonly visible: ReadonlySet<number>
  readonly tables: ReadonlyMap<string, Question>
}

/**
 * Filters on rows of a table that are visible to the whole audience: shared by audiences that see the same
 * rows.
 */
interface Question {
  readonly shape: TableShape
  readonly indices: readonly number[]
  readonly filters: Map<string, readonly Condition[]>
  answers: ReadonlyMap<string, Passing>
}

type Answer = boolean | 'failed'

/**
 * Evaluates the policies before the filters, so that no filter result depends on a row that the subscriber
 * can't see.
 */
export async function prepareDelivery(batch: Batch, channels: readonly Listener[]): Promise<Delivery> {
  const audiences = toAudiences(channels)
  const views = await viewsOf(audiences, batch)
  return {
    push(change) {
      const shape = shapeOf(change, batch)
      const index = batch.changes.indexOf(change)
      if (!shape || index < 0) return
      const send = createSender(change, shape)
      for (const audience of audiences) {
        const view = views.get(audience)
        for (const { channel, subscriptions } of view ? audience.members : []) {
          const answers = subscriptions.map(one => ({
            one,
            answer: view ? answerOf(audience, one, index, view, batch) : false,
          }))
          const matching = answers.flatMap(({ one, answer }) =>
            // The member may have left or resubscribed in the meantime.
            answer === true && channel.subscriptions.includes(one) ? [one] : [],
          )
          const isWhole = send(channel, audience.role, matching)
          if (!isWhole || answers.some(({ answer }) => answer === 'failed')) reportGap(channel)
        }
      }
    },
  }
}

/** Tells a subscriber that it missed changes, so that it can reload its rows. */
export function reportGap(member: Listener): void {
  const message = 'Changes could not be delivered'
  const channel = member.topic
  member.push('system', { extension: 'postgres_changes', status: 'error', message, channel })
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

async function viewsOf(audiences: readonly Audience[], batch: Batch): Promise<ReadonlyMap<Audience, View>> {
  const questions = new Map<string, Question>()
  const views = new Map<Audience, View>()
  for (const audience of audiences) {
    const visible = await visibleTo(audience, batch)
    const tables = new Map<string, Question>()
    for (const [shape, indices] of Map.groupBy(visible, index => shapeAt(index, batch))) {
      const filters = shape ? filtersOn(shape, audience, indices, batch) : []
      if (!shape || filters.length === 0) continue
      const key = `${shape.name} ${indices.join()}`
      const question = questions.get(key) ?? { shape, indices, filters: new Map(), answers: new Map() }
      for (const { filter, conditions } of filters) question.filters.set(filter, conditions)
      questions.set(key, question)
      tables.set(shape.name, question)
    }
    views.set(audience, { visible: new Set(visible), tables })
  }
  for (const question of questions.values()) {
    const rows = question.indices.map(index => [index, rowOf(index, question.shape, batch)] as const)
    question.answers = await passFilters(batch.database, question.shape, [...question.filters], rows)
  }
  return views
}

function shapeOf({ schema, table }: RowChange, { shapes }: Batch): TableShape | undefined {
  return shapes.get(tableKey(schema, table))
}

function shapeAt(index: number, batch: Batch): TableShape | undefined {
  const change = batch.changes[index]
  return change && shapeOf(change, batch)
}

/** Whether a subscription covers a change, regardless of the row's contents. */
export function wants({ event, schema, table }: Subscription, change: RowChange): boolean {
  return (
    (event === '*' || event === change.type) &&
    (schema === '*' || schema === change.schema) &&
    (table === undefined || table === change.table)
  )
}

/** The changes that match a subscription and whose rows the policies show. */
async function visibleTo(audience: Audience, batch: Batch): Promise<number[]> {
  const { database, changes, shapes } = batch
  const subscriptions = audience.members.flatMap(one => one.subscriptions)
  const candidates = [...changes.entries()].flatMap(([index, change]) => {
    const shape = shapeOf(change, batch)
    const isWanted =
      shape &&
      rowError(change, shape, audience.role) === undefined &&
      subscriptions.some(one => wants(one, change))
    return isWanted ? [{ index, isOpen: !hasPolicy(change, shape) }] : []
  })
  const indexes = candidates.filter(({ isOpen }) => !isOpen).map(({ index }) => index)
  const visible = new Set(await visibleChanges(database, audience.claims, indexes, changes, shapes))
  return candidates.flatMap(({ index, isOpen }) => (isOpen || visible.has(index) ? [index] : []))
}

/** Policies can't be evaluated on a deleted row; if policies protect the table, only the key is available. */
function hasPolicy(change: RowChange, shape: TableShape): boolean {
  return shape.hasPolicies && change.type !== 'DELETE'
}

/** The filtered subscriptions of an audience on some changes of a table. */
function filtersOn(
  shape: TableShape,
  audience: Audience,
  indices: readonly number[],
  { changes }: Batch,
): Subscription[] {
  const readable = new Set(
    shape.columns.filter(one => one.readers.includes(audience.role)).map(one => one.name),
  )
  return audience.members
    .flatMap(one => one.subscriptions)
    .filter(
      one =>
        one.conditions.length > 0 &&
        // A filter must not use columns that its role can no longer read.
        one.conditions.every(({ column }) => readable.has(column)) &&
        indices.some(index => {
          const change = changes[index]
          return change && wants(one, change)
        }),
    )
}

/**
 * The row that filters see: for a deletion its replica identity, or only its key if policies protect the
 * table.
 */
function rowOf(index: number, { columns, hasPolicies }: TableShape, { changes }: Batch): Row {
  const { record, oldRecord = {} } = changes[index] ?? {}
  const keyColumns = columns.filter(({ isKey, isIdentity }) => isIdentity && (isKey || !hasPolicies))
  return record ?? Object.fromEntries(keyColumns.map(({ name }) => [name, oldRecord[name]]))
}

function answerOf(
  audience: Audience,
  subscription: Subscription,
  index: number,
  view: View,
  batch: Batch,
): Answer {
  const change = batch.changes[index]
  const shape = change && shapeOf(change, batch)
  if (!shape || !wants(subscription, change)) return false
  // If rows of a table can't be sent, the reason is sent to all its subscribers.
  if (rowError(change, shape, audience.role) !== undefined) return true
  if (!view.visible.has(index)) return false
  if (subscription.conditions.length === 0) return true
  const row = rowOf(index, shape, batch)
  if (subscription.conditions.some(({ column }) => row[column] === TOO_DEEP)) return 'failed'
  const passing = view.tables.get(shape.name)?.answers.get(subscription.filter)
  return passing?.failed.has(index) ? 'failed' : (passing?.passingIndexes.has(index) ?? false)
}

/**
 * Sends a change to members, separately for each column selection; returns whether it was sent completely.
 */
function createSender(change: RowChange, shape: TableShape) {
  const dataByRole = new Map<string, ReturnType<typeof changeData>>()
  return (channel: Listener, role: string, matching: readonly Subscription[]): boolean => {
    let isWhole = true
    for (const [columns, group] of Map.groupBy(matching, ({ select }) =>
      JSON.stringify(select?.toSorted() ?? null),
    )) {
      const key = `${role} ${columns}`
      if (!dataByRole.has(key)) dataByRole.set(key, changeData(change, shape, role, group[0]?.select))
      const data = dataByRole.get(key)
      if (data) channel.push('postgres_changes', { ids: group.map(({ id }) => id), data })
      else isWhole = false
    }
    return isWhole
  }
}
