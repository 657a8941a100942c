// Deletions of the table on show, as its page sees them, and the notice by which one is taken back.
import { useCallback, useEffect, useMemo, useSyncExternalStore, type Dispatch } from 'react'
import { toast } from 'sonner'
import type { ChartroomClient } from '../../../../index.ts'
import { useClient, useStatus } from '../../../react.ts'
import { keepByClient, userIn, userOf } from '../../by-client.ts'
import { createLeaveGuard } from '../../leave-guard.ts'
import { workRecordings } from '../../work-recordings.ts'
import { notify } from '../../shell/notify.ts'
import type { PagesAction } from '../rows/pages.ts'
import { rowKey, type Row, type TableInfo } from '../schema.ts'
import type { TableQuery } from '../table-query.ts'
import { DeletionsDesk } from './deletions-desk.ts'
import { leavingKeys, UNDO_MS, type Deletion } from './deletions.ts'
import { deleteRows } from './send.ts'
import { plural } from '../../format.ts'

export interface TableDeletions {
  readonly list: readonly Deletion[]
  /** Keys of rows that are on their way out. */
  readonly leaving: ReadonlySet<string>
  readonly order: (rows: readonly Row[]) => void
  readonly undo: (id: number) => void
  readonly retry: (id: number) => void
}

const toastOf = (table: string, id: number) => `delete.${table}.${id}`
/** Another notice: one that is just going away can't be filled anew. */
const refusalOf = (table: string, id: number) => `${toastOf(table, id)}.refused`

const desks = keepByClient<DeletionsDesk>()

const deskOf = (client: ChartroomClient, user: string, schema: string, table: string): DeletionsDesk =>
  desks.of(client, JSON.stringify([user, schema, table]), () => {
    const made: DeletionsDesk = new DeletionsDesk({
      isTheirs: () => userOf(client) === user,
      onPending: createLeaveGuard(),
      onBegun: (attached, count) =>
        workRecordings(client).add(`Deletion of ${plural(count, 'row')} of ${table}`, attached),
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
          action: { label: 'Delete again', run: () => made.send(id) },
        }),
    })
    return made
  })

/** Deletions of a table's rows. */
export const useDeletions = (
  query: TableQuery,
  info: TableInfo,
  reload: () => void,
  rows: Dispatch<PagesAction>,
): TableDeletions => {
  const client = useClient()
  const user = useStatus(userIn)
  const { schema, table } = query
  const desk = deskOf(client, user, schema, table)
  const list = useSyncExternalStore(desk.subscribe, desk.list)
  useEffect(
    () =>
      desk.sendBy({
        send: all => deleteRows({ client, query, info }, all),
        onGone: keys => rows({ type: 'rows.gone', info, keys }),
        onEnd: reload,
      }),
    [desk, client, query, info, rows, reload],
  )
  const undo = useCallback(
    (id: number) => {
      toast.dismiss(toastOf(table, id))
      desk.undo(id)
    },
    [desk, table],
  )
  const order = useCallback(
    (all: readonly Row[]) => {
      const keyed = new Map(all.flatMap(row => [[rowKey(info, row) ?? '', row] as const]))
      keyed.delete('')
      if (keyed.size === 0) return
      const id = desk.order(keyed)
      notify({
        id: toastOf(table, id),
        title: `Deleting ${plural(keyed.size, 'row')} of ${table}`,
        within: UNDO_MS,
        action: { label: 'Undo', run: () => undo(id) },
      })
    },
    [desk, info, table, undo],
  )
  const leaving = useMemo(() => leavingKeys(list), [list])
  return { list, leaving, order, undo, retry: desk.send }
}
