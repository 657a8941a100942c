// Generated columns: the OpenAPI document does not list them, so each is learned from a refused write.
import { Listeners } from '../../../trace/index.ts'
import { picklist, type InferOutput } from 'valibot'
import type { ChartroomClient } from '../../client/index.ts'
import { keepByClient } from '../storage/by-client.ts'
import { readSetting, writeSetting } from '../storage/local-store.ts'
import { byName, ownValue } from '../storage/safe-record.ts'
import type { TableName } from './of-table.ts'
import type { TableInfo } from './schema.ts'

const kind = picklist(['identity', 'generated'])
const madeSchema = byName(byName(kind))

export type Generation = InferOutput<typeof kind>

/** By table and column. */
export type MadeColumns = Readonly<Record<string, Readonly<Record<string, Generation>>>>

export interface MadeStore {
  readonly all: () => MadeColumns
  readonly add: (of: TableName, column: string, generation: Generation) => void
  readonly subscribe: (listener: () => void) => () => void
}

const keyOf = ({ schema, table }: TableName): string => JSON.stringify([schema, table])

/** Stored in the browser per host: table definitions are the same for all users. */
export const createMadeStore = (url: string): MadeStore => {
  const name = `made-columns.${url}`
  const listeners = new Listeners()
  let all: MadeColumns = readSetting(name, madeSchema, {})
  return {
    all: () => all,
    add: (of, column, generation) => {
      const key = keyOf(of)
      const before = ownValue(all, key) ?? {}
      if (ownValue(before, column) === generation) return
      all = { ...all, [key]: { ...before, [column]: generation } }
      writeSetting(name, all)
      listeners.notify()
    },
    subscribe: listeners.subscribe,
  }
}

const stores = keepByClient<MadeStore>()

/** The store for a client's host. */
export const madeStoreOf = (client: ChartroomClient): MadeStore =>
  stores.of(client, '', () => createMadeStore(client.url))

/** Adds known generated columns to the table; returns the same object when there are none. */
export const withMade = (info: TableInfo, schema: string, all: MadeColumns): TableInfo => {
  const made = ownValue(all, keyOf({ schema, table: info.name }))
  if (made === undefined) return info
  const columns = info.columns.map(column => {
    const how = ownValue(made, column.name)
    if (how === undefined) return column
    const { isDefaultUnknown: _, ...knownColumn } = column
    return { ...knownColumn, generation: how, hasDefault: true }
  })
  return { ...info, columns }
}
