// The edits of the table on show, as its page sees them.
import { useCallback, useEffect, useMemo, useSyncExternalStore, type Dispatch } from 'react'
import type { ChartroomClient } from '../../../../index.ts'
import { useClient, useStatus } from '../../../react.ts'
import { keepByClient, userIn, userOf } from '../../by-client.ts'
import { readSetting, writeSetting } from '../../local-store.ts'
import type { PagesAction } from '../rows/pages.ts'
import { rowKey, type Row, type TableInfo } from '../schema.ts'
import type { TableQuery } from '../table-query.ts'
import { draftsName, draftsSchema, NO_DRAFTS } from './drafts.ts'
import { editedCells, type EditedCell, type Edits, type Values } from './edits.ts'
import { EditsDesk } from './edits-desk.ts'
import { readValues, sendEdit } from './send.ts'

export interface TableEdits {
  readonly edits: Edits
  readonly cells: ReadonlyMap<string, ReadonlyMap<string, EditedCell>>
  /** Takes what was typed into cells of a row. */
  readonly edit: (row: Row, values: Values) => void
  /** Takes what was being typed when the page went away: its user decides later. */
  readonly keep: (row: Row, values: Values) => void
  readonly retry: (id: number) => void
  readonly drop: (id: number) => void
}

const desks = keepByClient<EditsDesk>()

const deskOf = (client: ChartroomClient, user: string, name: string): EditsDesk =>
  desks.of(
    client,
    name,
    () =>
      new EditsDesk({
        kept: readSetting(name, draftsSchema, NO_DRAFTS),
        keep: drafts => writeSetting(name, drafts),
        isTheirs: () => userOf(client) === user,
        onUser: listener => void client.onStatus(listener),
      }),
  )

const LEFT = {
  message: 'This was being typed when the page was left. Save it now, or let it go.',
  retry: false,
}

/** The edits, and what makes them. */
export const useEdits = (query: TableQuery, info: TableInfo, rows: Dispatch<PagesAction>): TableEdits => {
  const client = useClient()
  const user = useStatus(userIn)
  const { schema, table } = query
  const desk = deskOf(client, user, draftsName(client.url, user, schema, table))
  const edits = useSyncExternalStore(desk.subscribe, desk.edits)
  useEffect(
    () =>
      desk.sendBy({
        send: edit => sendEdit({ client, query, info }, edit),
        onSaved: (key, row) => rows({ type: 'row.replaced', info, row, key }),
      }),
    [desk, client, query, info, rows],
  )
  const { dispatch } = desk
  const edit = useCallback(
    (row: Row, values: Values) => {
      const key = rowKey(info, row)
      if (key === undefined) return
      const read = readValues(values, info.columns)
      const failed = 'failure' in read ? { failure: read.failure } : {}
      dispatch({ type: 'edit.made', key, row, values, ...failed })
    },
    [info, dispatch],
  )
  const keep = useCallback(
    (row: Row, values: Values) => {
      const key = rowKey(info, row)
      if (key !== undefined) dispatch({ type: 'edit.made', key, row, values, failure: LEFT })
    },
    [info, dispatch],
  )
  const retry = useCallback((id: number) => dispatch({ type: 'edit.retried', id }), [dispatch])
  const drop = useCallback((id: number) => dispatch({ type: 'edit.dropped', id }), [dispatch])
  const cells = useMemo(() => editedCells(edits), [edits])
  return { edits, cells, edit, keep, retry, drop }
}
