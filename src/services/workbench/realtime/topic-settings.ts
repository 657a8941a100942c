// Join settings of a topic: form fields, stored data, and channel options.
import { array, boolean, fallback, object, optional, picklist, string, type InferOutput } from 'valibot'
import type { ChannelOptions, PostgresChange } from '../../client/index.ts'
import { plural } from '../text/format.ts'
import { conditionProblem, filterOf } from './change-filter.ts'

export const EVENTS = ['*', 'INSERT', 'UPDATE', 'DELETE'] as const

const conditionSchema = object({
  id: string(),
  column: string(),
  comparison: string(),
  not: optional(boolean(), false),
  value: string(),
})

const changeSchema = object({
  id: string(),
  event: fallback(picklist(EVENTS), '*'),
  schema: string(),
  table: string(),
  conditions: fallback(array(conditionSchema), []),
  /** Comma-separated column names; empty for all. */
  columns: fallback(string(), ''),
})

export const settingsSchema = object({
  private: fallback(boolean(), false),
  /** Whether sent messages are also received. */
  self: fallback(boolean(), false),
  /** Whether sending waits for the server's acknowledgment. */
  ack: fallback(boolean(), true),
  /** Whether to send by HTTP when the socket is unavailable. */
  http: fallback(boolean(), false),
  presence: fallback(boolean(), true),
  /** The presence key; empty for the user's id. */
  key: fallback(string(), ''),
  /** Minutes of messages to replay after joining a private topic; empty for none. */
  replay: fallback(string(), ''),
  changes: fallback(array(changeSchema), []),
})

export type Condition = InferOutput<typeof conditionSchema>
export type Change = InferOutput<typeof changeSchema>
export type TopicSettings = InferOutput<typeof settingsSchema>

export const USUAL_SETTINGS: TopicSettings = {
  private: false,
  self: false,
  ack: true,
  http: false,
  presence: true,
  key: '',
  replay: '',
  changes: [],
}

/** The next of the ids `c1`, `c2`, … */
export const nextId = (list: readonly { readonly id: string }[]): string =>
  `c${1 + Math.max(0, ...list.map(({ id }) => Number(/^c(\d+)$/.exec(id)?.[1] ?? 0)))}`

export const newChange = (list: readonly Change[]): Change => ({
  id: nextId(list),
  event: '*',
  schema: 'public',
  table: '',
  conditions: [],
  columns: '',
})

/** A subscription in wire format. */
export function changeOf({ event, schema, table, conditions, columns }: Change): PostgresChange {
  const filter = filterOf(conditions)
  const select = columns
    .split(',')
    .map(column => column.trim())
    .filter(column => column !== '')
  return {
    event,
    schema: schema.trim() || 'public',
    ...(table.trim() !== '' && table.trim() !== '*' && { table: table.trim() }),
    ...(filter !== undefined && { filter }),
    ...(select.length > 0 && { select }),
  }
}

/** In one line, such as `UPDATE public.vessels where id=eq.4`. */
export function changeWords(change: PostgresChange): string {
  const { event, schema, table = '*', filter, select } = change
  const columns = select === undefined ? '' : ` (${select.join(', ')})`
  return `${event === '*' ? 'any change' : event} ${schema}.${table}${columns}${filter === undefined ? '' : ` where ${filter}`}`
}

/** Errors by change id, and under the names `replay` and `topic`. */
export function settingsProblems(topic: string, settings: TopicSettings): Readonly<Record<string, string>> {
  const values: Record<string, string> = {}
  if (topic.trim() === '') values['topic'] = 'Enter a topic name.'
  if (/^realtime:/i.test(topic.trim())) values['topic'] = 'Omit the “realtime:” prefix.'
  const minutes = Number(settings.replay)
  if (settings.replay.trim() !== '' && !(minutes > 0 && minutes <= 4320))
    values['replay'] = 'Enter minutes, up to three days.'
  else if (settings.replay.trim() !== '' && !settings.private)
    values['replay'] = 'Only private topics store messages.'
  for (const { id, table, conditions } of settings.changes) {
    const conditionFault = conditions.map(conditionProblem).find(problem => problem !== undefined)
    if (conditionFault !== undefined) values[id] = conditionFault
    else if (filterOf(conditions) !== undefined && table.trim() === '')
      values[id] = 'A filter applies to the columns of one table: enter the table name.'
  }
  return values
}

/** @param wall current Unix time in milliseconds, from which the replay start is computed */
export function channelOptions(settings: TopicSettings, userKey: string, wall: number): ChannelOptions {
  const minutes = Number(settings.replay)
  const changes = settings.changes.map(changeOf)
  return {
    private: settings.private,
    broadcast: {
      self: settings.self,
      ack: settings.ack,
      ...(settings.http && { fallback: 'http' as const }),
      ...(settings.private && minutes > 0 && { replay: { since: Math.round(wall - minutes * 60_000) } }),
    },
    presence: { enabled: settings.presence, key: settings.key.trim() || userKey },
    ...(changes.length > 0 && { postgresChanges: changes }),
  }
}

/** Non-default settings, for the list. */
export function settingsWords(settings: TopicSettings): readonly string[] {
  return [
    settings.private && 'private',
    settings.self && 'own messages',
    !settings.ack && 'no ack',
    settings.http && 'HTTP fallback',
    !settings.presence && 'no presence',
    settings.changes.length > 0 && plural(settings.changes.length, 'subscription'),
  ].filter(word => typeof word === 'string')
}
