// What a topic is joined with: what the form holds, what is kept of it, and what the client takes.
import { array, boolean, fallback, object, optional, picklist, string, type InferOutput } from 'valibot'
import type { ChannelOptions, PostgresChange } from '../../../index.ts'
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
  /** Names of columns between commas; empty for all. */
  columns: fallback(string(), ''),
})

export const settingsSchema = object({
  private: fallback(boolean(), false),
  /** What is sent from here comes back, too. */
  self: fallback(boolean(), false),
  /** Sending waits for the server's word. */
  ack: fallback(boolean(), true),
  /** What can't go over the socket goes as a request. */
  http: fallback(boolean(), false),
  presence: fallback(boolean(), true),
  /** Under which this place is counted; empty for the user's id. */
  key: fallback(string(), ''),
  /** Messages of so many minutes before the join, of a private topic; empty for none. */
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

/** The next of ids `c1`, `c2`, … */
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

/** A subscription as the wire has it. */
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

/** In one line, e.g. `UPDATE public.vessels where id=eq.4`. */
export function changeWords(change: PostgresChange): string {
  const { event, schema, table = '*', filter, select } = change
  const columns = select === undefined ? '' : ` (${select.join(', ')})`
  return `${event === '*' ? 'any change' : event} ${schema}.${table}${columns}${filter === undefined ? '' : ` where ${filter}`}`
}

/** What must be put right, by the id of the change; `replay` and `topic` by their names. */
export function settingsProblems(topic: string, settings: TopicSettings): Readonly<Record<string, string>> {
  const found: Record<string, string> = {}
  if (topic.trim() === '') found['topic'] = 'Enter the name of a topic.'
  if (/^realtime:/i.test(topic.trim())) found['topic'] = 'Without “realtime:” before it.'
  const minutes = Number(settings.replay)
  if (settings.replay.trim() !== '' && !(minutes > 0 && minutes <= 4320))
    found['replay'] = 'Minutes, up to three days.'
  else if (settings.replay.trim() !== '' && !settings.private)
    found['replay'] = 'Only private topics keep their messages.'
  for (const { id, table, conditions } of settings.changes) {
    const wrong = conditions.map(conditionProblem).find(problem => problem !== undefined)
    if (wrong !== undefined) found[id] = wrong
    else if (filterOf(conditions) !== undefined && table.trim() === '')
      found[id] = 'A filter is about the columns of one table: name the table.'
  }
  return found
}

/** @param wall milliseconds of the time of day, from which is counted what is to be told again. */
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

/** In a few words, for the list: what differs from the usual. */
export function settingsWords(settings: TopicSettings): readonly string[] {
  return [
    settings.private && 'private',
    settings.self && 'own echoed',
    !settings.ack && 'no ack',
    settings.http && 'HTTP fallback',
    !settings.presence && 'no presence',
    settings.changes.length > 0 && `${settings.changes.length} × changes`,
  ].filter(word => typeof word === 'string')
}
