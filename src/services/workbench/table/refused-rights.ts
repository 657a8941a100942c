// Writes that a view cannot take: backends that do not describe it refuse the first one, with the reason.
import { Listeners } from '../../../trace/index.ts'
import type { ChartroomClient } from '../../client/index.ts'
import { keepByClient } from '../storage/by-client.ts'
import { ownValue } from '../storage/safe-record.ts'
import type { TableName } from './of-table.ts'
import type { TableInfo, TableRights } from './schema.ts'

type Refusals = Readonly<Partial<Record<keyof TableRights, string>>>

/** Why each kind of write is refused, by table. */
export type RefusedRights = Readonly<Record<string, Refusals>>

const keyOf = ({ schema, table }: TableName): string => JSON.stringify([schema, table])

/** Until the page reloads: its owner may give a view a trigger. */
class RefusedRightsStore {
  readonly #listeners = new Listeners()
  #all: RefusedRights = {}

  readonly subscribe = this.#listeners.subscribe
  readonly all = (): RefusedRights => this.#all

  readonly add = (of: TableName, right: keyof TableRights, reason: string): void => {
    const key = keyOf(of)
    this.#all = { ...this.#all, [key]: { ...ownValue(this.#all, key), [right]: reason } }
    this.#listeners.notify()
  }
}

const stores = keepByClient<RefusedRightsStore>()

/** The store of a client. */
export const refusedRightsOf = (client: ChartroomClient): RefusedRightsStore =>
  stores.of(client, '', () => new RefusedRightsStore())

/** Removes the refused rights from the table; returns the same object when there are none. */
export const withoutRefused = (info: TableInfo, schema: string, all: RefusedRights): TableInfo => {
  const refused = ownValue(all, keyOf({ schema, table: info.name }))
  const [reason] = Object.values(refused ?? {})
  if (refused === undefined || reason === undefined) return info
  const { insert, update, delete: deletes } = info.rights
  return {
    ...info,
    rights: {
      insert: insert && refused.insert === undefined,
      update: update && refused.update === undefined,
      delete: deletes && refused.delete === undefined,
    },
    lacksRights: reason,
  }
}
