// Edits of the visible table, as its page sees them.
import { useCallback, useEffect, useMemo, useSyncExternalStore, type Dispatch } from 'react'
import type { ChartroomClient } from '../../../../services/client/index.ts'
import { useClient, useStatus } from '../../../react/index.ts'
import { keepByClient, userIn, userOf } from '../../../../services/workbench/storage/index.ts'
import { createLeaveGuard } from '../../leave-guard.ts'
import { workRecordings } from '../../work-recordings.ts'
import {
  createDraftStorage,
  createEditSender,
  draftsName,
  type EditDecision,
  type EditedCell,
  editedCells,
  type Edits,
  EditStore,
  type PagesAction,
  type Row,
  rowKey,
  TableHistory,
  type TableInfo,
  type TableName,
  type TableQuery,
  type Values,
} from '../../../../services/workbench/table/index.ts'
import { deletionsOf } from './use-deletions.ts'

export interface TableEdits {
  readonly edits: Edits
  readonly cells: ReadonlyMap<string, ReadonlyMap<string, EditedCell>>
  /** Keeps input that was unsaved when the page closed: the user decides later. */
  readonly keep: (row: Row, values: Values) => void
  /** Writes a form's row; a new row when `row` is undefined. */
  readonly write: (row: Row | undefined, values: Values) => Promise<EditDecision>
  /** A row including the user's writes since it was read. */
  readonly latest: (row: Row) => Row
  readonly retry: (id: number) => void
  readonly cancel: (id: number) => void
  /** Opens the edits in the console. */
  readonly showStates: () => void
}

/** A user's edits of a table, and their undo history. */
interface Writes {
  readonly store: EditStore
  readonly history: TableHistory
}

const all = keepByClient<Writes>()

/** Undefined on an insecure page. */
const locksOf = ({ locks }: { readonly locks?: LockManager }): LockManager | undefined => locks

export const writesOf = (client: ChartroomClient, user: string, of: TableName): Writes => {
  const name = draftsName(client.url, user, of.schema, of.table)
  const guard = createLeaveGuard()
  return all.of(client, name, () => {
    const deletions = deletionsOf(client, user, of)
    const store: EditStore = new EditStore({
      schema: of.schema,
      table: of.table,
      storage: createDraftStorage(name, locksOf(navigator)),
      onKept: isKept => guard(!isKept),
      onBegun: job => workRecordings(client).add(`Edits of ${of.table}`, job),
      isTheirs: () => userOf(client) === user,
      isOnline: () => client.status().network === 'online',
      onChange: listener => void client.onStatus(listener),
      onWritten: written => history.saved(written),
      onOverwrite: overwritten => history.overwrote(overwritten),
    })
    const history = new TableHistory({
      write: store.make,
      order: deletions.order,
      takeBack: order => {
        const isUndoable = deletions.store
          .list()
          .some(({ id, state }) => id === order && state.at === 'undoable')
        if (isUndoable) deletions.undo(order)
        return isUndoable
      },
    })
    deletions.onUndone(history.forget)
    return { store, history }
  })
}

const LEFT = {
  message: 'You left the page while typing this. Retry to save it, or discard it.',
  retry: false,
}

/** Replaces the key of a row that does not exist yet. */
const NEW = 'new'
const NOTHING: Row = {}

/** Edits, and the functions that create them. */
export const useEdits = (query: TableQuery, info: TableInfo, rows: Dispatch<PagesAction>): TableEdits => {
  const client = useClient()
  const user = useStatus(userIn)
  const { schema, table } = query
  const { store } = useMemo(() => writesOf(client, user, { schema, table }), [client, user, schema, table])
  const edits = useSyncExternalStore(store.subscribe, store.edits)
  useEffect(() => store.sendBy(createEditSender({ client, query, info })), [store, client, query, info])
  useEffect(
    () => store.onSaved((key, row) => rows({ type: 'row.replaced', info, row, key })),
    [store, info, rows],
  )
  const { make, latest, retry, cancel } = store
  const write = useCallback(
    (row: Row | undefined, values: Values) =>
      store.write(
        { key: row === undefined ? NEW : (rowKey(info, row) ?? ''), row: row ?? NOTHING, values },
        row === undefined,
      ),
    [store, info],
  )
  const keep = useCallback(
    (row: Row, values: Values) => {
      const key = rowKey(info, row)
      if (key !== undefined) make({ key, row, values, failure: LEFT })
    },
    [info, make],
  )
  const showStates = useCallback(() => workRecordings(client).show(store.job()?.recording), [client, store])
  const cells = useMemo(() => editedCells(edits), [edits])
  return { edits, cells, keep, write, latest, retry, cancel, showStates }
}
