// The edits of the table on show, as its page sees them.
import { useCallback, useEffect, useMemo, useSyncExternalStore, type Dispatch } from 'react'
import type { ChartroomClient } from '../../../../index.ts'
import { useClient, useStatus } from '../../../react.ts'
import { keepByClient, userIn, userOf } from '../../by-client.ts'
import { createLeaveGuard } from '../../leave-guard.ts'
import { workRecordings } from '../../work-recordings.ts'
import type { PagesAction } from '../rows/pages.ts'
import type { TableName } from '../of-table.ts'
import { rowKey, type Row, type TableInfo } from '../schema.ts'
import type { TableQuery } from '../table-query.ts'
import { createDraftShelf } from './draft-shelf.ts'
import { draftsName } from './drafts.ts'
import { editedCells, type EditAnswer, type EditedCell, type Edits, type Values } from './edits.ts'
import { EditsDesk } from './edits-desk.ts'
import { readValues, sendEdit, sendRow } from './send.ts'

export interface TableEdits {
  readonly edits: Edits
  readonly cells: ReadonlyMap<string, ReadonlyMap<string, EditedCell>>
  /** Takes what was typed into cells of a row. */
  readonly edit: (row: Row, values: Values) => void
  /** Takes what was being typed when the page went away: its user decides later. */
  readonly keep: (row: Row, values: Values) => void
  /** What a form writes: a new row where it is made on none. */
  readonly write: (row: Row | undefined, values: Values) => Promise<EditAnswer>
  /** A row with what was written into it since it was read. */
  readonly latest: (row: Row) => Row
  readonly retry: (id: number) => void
  readonly drop: (id: number) => void
  /** In the console. */
  readonly showStates: () => void
}

const desks = keepByClient<EditsDesk>()

/** There are none on a page that is not secure. */
const locksOf = ({ locks }: { readonly locks?: LockManager }): LockManager | undefined => locks

const deskOf = (client: ChartroomClient, user: string, of: TableName): EditsDesk => {
  const name = draftsName(client.url, user, of.schema, of.table)
  const guard = createLeaveGuard()
  return desks.of(
    client,
    name,
    () =>
      new EditsDesk({
        schema: of.schema,
        table: of.table,
        shelf: createDraftShelf(name, locksOf(navigator)),
        onKept: isKept => guard(!isKept),
        onBegun: attached => workRecordings(client).add(`Edits of ${of.table}`, attached),
        isTheirs: () => userOf(client) === user,
        isOnline: () => client.status().network === 'online',
        onChange: listener => void client.onStatus(listener),
      }),
  )
}

const LEFT = {
  message: 'This was being typed when the page was left. Save it now, or let it go.',
  retry: false,
}

/** In the place of the key of a row that is not there yet. */
const NEW = 'new'
const NOTHING: Row = {}

/** The edits, and what makes them. */
export const useEdits = (query: TableQuery, info: TableInfo, rows: Dispatch<PagesAction>): TableEdits => {
  const client = useClient()
  const user = useStatus(userIn)
  const { schema, table } = query
  const desk = deskOf(client, user, { schema, table })
  const edits = useSyncExternalStore(desk.subscribe, desk.edits)
  useEffect(
    () =>
      desk.sendBy({
        send: (edit, onRequest) => sendEdit({ client, query, info, onRequest }, edit),
        add: (values, onRequest) => sendRow({ client, query, info, onRequest }, values),
        onSaved: (key, row) => rows({ type: 'row.replaced', info, row, key }),
      }),
    [desk, client, query, info, rows],
  )
  const { make, latest, retry, drop } = desk
  const write = useCallback(
    (row: Row | undefined, values: Values) =>
      desk.write(
        { key: row === undefined ? NEW : (rowKey(info, row) ?? ''), row: row ?? NOTHING, values },
        row === undefined,
      ),
    [desk, info],
  )
  const edit = useCallback(
    (row: Row, values: Values) => {
      const key = rowKey(info, row)
      if (key === undefined) return
      const read = readValues(values, info.columns)
      make({ key, row, values, ...('failure' in read && { failure: read.failure }) })
    },
    [info, make],
  )
  const keep = useCallback(
    (row: Row, values: Values) => {
      const key = rowKey(info, row)
      if (key !== undefined) make({ key, row, values, failure: LEFT })
    },
    [info, make],
  )
  const showStates = useCallback(
    () => workRecordings(client).show(desk.attached()?.recording),
    [client, desk],
  )
  const cells = useMemo(() => editedCells(edits), [edits])
  return { edits, cells, edit, keep, write, latest, retry, drop, showStates }
}
