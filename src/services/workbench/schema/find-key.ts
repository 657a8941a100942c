// Finds a table's primary key by asking: PostgREST accepts PUT only for rows that are named by their whole key.
import { array, string } from 'valibot'
import { Listeners } from '../../../trace/index.ts'
import type { ChartroomClient } from '../../client/index.ts'
import { sendRest } from '../rest/rest.ts'
import { restErrorIn } from '../rest/rest-error.ts'
import { keepByClient } from '../storage/by-client.ts'
import { readSetting, writeSetting } from '../storage/local-store.ts'
import { byName, ownValue } from '../storage/safe-record.ts'
import type { TableName } from '../table/of-table.ts'
import type { Column, FieldType, TableInfo } from '../table/schema.ts'
import { parameterName } from '../table/rest-names.ts'

/** Two values of a type: the row to write and the row in the body differ, so that nothing is ever written. */
const PAIRS: Partial<Readonly<Record<FieldType, readonly [unknown, unknown]>>> = {
  integer: [0, 1],
  number: [0, 1],
  boolean: [false, true],
  uuid: ['00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000001'],
  date: ['1970-01-01', '1970-01-02'],
  timestamp: ['1970-01-01T00:00:00Z', '1970-01-02T00:00:00Z'],
}
const OTHER_VALUES = ['a', 'b'] as const

/** More requests than this say nothing new about common tables. */
const MOST_ASKED = 8

const singular = (table: string): string => table.replace(/ies$/, 'y').replace(/(?<=[sx])es$|s$/, '')

/** Columns that may be the key, likely ones first: its usual names, then what others reference, then pairs. */
export function keyCandidates(
  { name, columns }: TableInfo,
  referenced: ReadonlySet<string>,
): readonly (readonly Column[])[] {
  const usual = ['id', `${name}_id`, `${singular(name)}_id`, 'uuid', 'key', 'code', 'slug']
  const rank = (column: Column): number => {
    const at = usual.indexOf(column.name.toLowerCase())
    if (referenced.has(column.name)) return -1
    return at < 0 ? usual.length : at
  }
  const singles = columns
    .filter(column => rank(column) < usual.length)
    .toSorted((a, b) => rank(a) - rank(b))
    .map(column => [column])
  const links = columns.filter(column => column.references !== undefined || column.name.endsWith('_id'))
  const composite = links.length > 1 && links.length <= 3 ? [links] : []
  const singleColumns = links.map(column => [column])
  const distinct = new Map(
    [...singles, ...composite, ...singleColumns].map(each => [namesOf(each).join('\0'), each]),
  )
  return [...distinct.values()].slice(0, MOST_ASKED)
}

const namesOf = (columns: readonly Column[]): readonly string[] => columns.map(({ name }) => name)

/** What a response says: PostgREST compares with the key before it runs SQL, and refuses rows that differ. */
type KeyAnswer = 'key' | 'notKey' | 'nothing'

const saidBy = (code: string): KeyAnswer => {
  if (code === 'PGRST105') return 'notKey'
  return code === 'PGRST115' || /^[0-9A-Z]{5}$/.test(code) ? 'key' : 'nothing'
}

async function askFor(
  { fetch }: Pick<ChartroomClient, 'fetch'>,
  { schema, table }: TableName,
  columns: readonly Column[],
  signal: AbortSignal,
): Promise<KeyAnswer> {
  const pairs = columns.map(({ name, type }) => ({ name, values: PAIRS[type] ?? OTHER_VALUES }))
  const query = new URLSearchParams(
    pairs.map(({ name, values: [first] }): [string, string] => [parameterName(name), `eq.${String(first)}`]),
  )
  const body = JSON.stringify([
    Object.fromEntries(pairs.map(({ name, values: [, otherValue] }) => [name, otherValue])),
  ])
  const profile = schema === 'public' ? {} : { 'content-profile': schema }
  const headers = { 'content-type': 'application/json', ...profile }
  const path = `/rest/v1/${encodeURIComponent(table)}?${query.toString()}`
  const answer = await sendRest(fetch, path, { method: 'PUT', headers, body, signal }, { priority: 'low' })
  return answer.ok || answer.status === 0 || answer.status >= 500
    ? 'nothing'
    : saidBy(restErrorIn(answer.error).code)
}

/**
 * Returns the names of the key's columns; undefined if none of the candidates is the key, or the backend does
 * not say. Rejects when aborted.
 */
export async function findKey(
  client: Pick<ChartroomClient, 'fetch'>,
  of: TableName,
  candidates: readonly (readonly Column[])[],
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  for (const columns of candidates) {
    const answer = await askFor(client, of, columns, signal)
    if (answer === 'key') return namesOf(columns)
    if (answer === 'nothing') return undefined
  }
  return undefined
}

const foundKeys = byName(array(string()))

/** Keys that were found, by table; definitions are the same for all users of a host. */
interface KeyStore {
  readonly of: (of: TableName) => readonly string[] | undefined
  readonly add: (of: TableName, key: readonly string[]) => void
  readonly subscribe: (listener: () => void) => () => void
}

const keyOf = ({ schema, table }: TableName): string => JSON.stringify([schema, table])

const createKeyStore = (url: string): KeyStore => {
  const setting = `keys.${url}`
  const listeners = new Listeners()
  let all: Readonly<Record<string, readonly string[]>> = readSetting(setting, foundKeys, {})
  return {
    of: table => ownValue(all, keyOf(table)),
    add: (table, key) => {
      all = { ...all, [keyOf(table)]: key }
      writeSetting(setting, all)
      listeners.notify()
    },
    subscribe: listeners.subscribe,
  }
}

const stores = keepByClient<KeyStore>()

/** The store for a client's host. */
export const keyStoreOf = (client: ChartroomClient): KeyStore =>
  stores.of(client, '', () => createKeyStore(client.url))

/** The table with the key that was found; without one, its rows cannot be distinguished. */
export const withKey = (info: TableInfo, key: readonly string[] | undefined): TableInfo => {
  const columns = info.columns.map(column => ({ ...column, isKey: key?.includes(column.name) ?? false }))
  if (key === undefined) return { ...info, columns, isKeyUnknown: true }
  const { isKeyUnknown: _, ...knownInfo } = info
  return { ...knownInfo, columns }
}
