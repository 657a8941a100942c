// Deletions of the visible table, and the notice that undoes each.
import { useCallback, useEffect, useMemo, useSyncExternalStore, type Dispatch } from 'react'
import { toast } from 'sonner'
import type { ChartroomClient } from '../../../../services/client/index.ts'
import { useClient, useStatus } from '../../../react/index.ts'
import { keepByClient, userIn, userOf } from '../../../../services/workbench/storage/index.ts'
import { createLeaveGuard } from '../../leave-guard.ts'
import { workRecordings } from '../../work-recordings.ts'
import { notify } from '../../shell/notify.ts'
import {
  createDeletionSender,
  type Deletion,
  DeletionStore,
  leavingKeys,
  type PagesAction,
  type Row,
  rowKey,
  type TableInfo,
  type TableName,
  type TableQuery,
  UNDO_MS,
} from '../../../../services/workbench/table/index.ts'
import { plural } from '../../../../services/workbench/text/index.ts'

export interface TableDeletions {
  readonly list: readonly Deletion[]
  /** Keys of rows that are being deleted. */
  readonly leaving: ReadonlySet<string>
  readonly order: (rows: readonly Row[]) => void
  readonly undo: (id: number) => void
  readonly retry: (id: number) => void
}

export const deletionTitle = (rows: number, table: string): string =>
  `Deleting ${plural(rows, 'row')} of ${table}`

/** Deletions of a table by one user, each with a notice. */
export interface Deletions {
  readonly store: DeletionStore
  /** @returns the deletion's number */
  readonly order: (rows: ReadonlyMap<string, Row>) => number
  /** Undoes a deletion, or gives up a refused one. */
  readonly undo: (id: number) => void
  /** Subscribes to deletions that are undone. */
  readonly onUndone: (listener: (id: number) => void) => () => void
}

const toastOf = (table: string, id: number) => `delete.${table}.${id}`
/** A separate notice id: a notice that is closing cannot be updated. */
const refusalOf = (table: string, id: number) => `${toastOf(table, id)}.refused`

const all = keepByClient<Deletions>()

export const deletionsOf = (client: ChartroomClient, user: string, { schema, table }: TableName): Deletions =>
  all.of(client, JSON.stringify([user, schema, table]), () => {
    const store: DeletionStore = new DeletionStore({
      isTheirs: () => userOf(client) === user,
      onPending: createLeaveGuard(),
      onBegun: (job, count) =>
        workRecordings(client).add(`Deletion of ${plural(count, 'row')} of ${table}`, job),
      onLate: id => {
        toast.dismiss(toastOf(table, id))
        toast.dismiss(refusalOf(table, id))
      },
      onUnseen: ({ id, rows }, { message }) =>
        notify({
          tone: 'fail',
          id: refusalOf(table, id),
          title: `${plural(rows.size, 'row')} of ${table} ${rows.size === 1 ? 'was' : 'were'} not deleted`,
          detail: message,
          action: { label: 'Retry delete', run: () => store.send(id) },
        }),
    })
    const undone = new Set<(id: number) => void>()
    const undo = (id: number) => {
      toast.dismiss(toastOf(table, id))
      store.undo(id)
      for (const listener of undone) listener(id)
    }
    return {
      store,
      undo,
      order: rows => {
        const id = store.order(rows)
        notify({
          id: toastOf(table, id),
          title: deletionTitle(rows.size, table),
          within: UNDO_MS,
          action: { label: 'Undo', run: () => undo(id) },
        })
        return id
      },
      onUndone: listener => {
        undone.add(listener)
        return () => void undone.delete(listener)
      },
    }
  })

interface DeletionsOptions {
  readonly reload: () => void
  readonly rows: Dispatch<PagesAction>
  readonly onOrder: (rows: ReadonlyMap<string, Row>) => void
}

/** Deletions of a table's rows. */
export const useDeletions = (
  query: TableQuery,
  info: TableInfo,
  { reload, rows, onOrder }: DeletionsOptions,
): TableDeletions => {
  const client = useClient()
  const user = useStatus(userIn)
  const { schema, table } = query
  const { store, undo } = useMemo(
    () => deletionsOf(client, user, { schema, table }),
    [client, user, schema, table],
  )
  const list = useSyncExternalStore(store.subscribe, store.list)
  useEffect(() => store.sendBy(createDeletionSender({ client, query, info })), [store, client, query, info])
  useEffect(
    () => store.watch({ onGone: keys => rows({ type: 'rows.gone', info, keys }), onEnd: reload }),
    [store, info, rows, reload],
  )
  const order = useCallback(
    (ordered: readonly Row[]) => {
      const rows = new Map(ordered.flatMap(row => [[rowKey(info, row) ?? '', row] as const]))
      rows.delete('')
      // A row that is already being deleted is not added again.
      for (const key of leavingKeys(store.list())) rows.delete(key)
      if (rows.size > 0) onOrder(rows)
    },
    [store, info, onOrder],
  )
  const leaving = useMemo(() => leavingKeys(list), [list])
  return { list, leaving, order, undo, retry: store.send }
}
