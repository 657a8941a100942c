// The edits of a table: sent one after another for each row, again by themselves after a silence, and kept until saved.
import { useCallback, useEffect, useMemo, useReducer, useRef, type Dispatch } from 'react'
import { useClient, useStatus } from '../../../react.ts'
import { useRetry } from '../../hooks.ts'
import { readSetting, writeSetting } from '../../local-store.ts'
import type { PagesAction } from '../rows/pages.ts'
import { rowKey, type Row, type TableInfo } from '../schema.ts'
import type { TableQuery } from '../table-query.ts'
import { draftsName, draftsSchema, fromDrafts, NO_DRAFTS, toDrafts } from './drafts.ts'
import {
  editedCells,
  editsReducer,
  readyToSend,
  type EditedCell,
  type Edits,
  type EditsEvent,
  type Values,
} from './edits.ts'
import { readValues, sendEdit } from './send.ts'

export interface TableEdits {
  readonly edits: Edits
  readonly cells: ReadonlyMap<string, ReadonlyMap<string, EditedCell>>
  /** Takes what was typed into cells of a row. */
  readonly edit: (row: Row, values: Values) => void
  readonly retry: (id: number) => void
  readonly drop: (id: number) => void
}

const useKeptEdits = (query: TableQuery): readonly [Edits, Dispatch<EditsEvent>] => {
  const { url } = useClient()
  const user = useStatus(({ session }) => (session.phase === 'authenticated' ? session.user.id : 'anonymous'))
  const name = draftsName(url, user, query.schema, query.table)
  const [edits, dispatch] = useReducer(editsReducer, name, (from: string) =>
    fromDrafts(readSetting(from, draftsSchema, NO_DRAFTS)),
  )
  const isEmpty = useRef(edits.list.length === 0)
  useEffect(() => {
    // A table that nothing was typed into leaves nothing behind.
    if (edits.list.length === 0 && isEmpty.current) return
    isEmpty.current = false
    writeSetting(name, toDrafts(edits))
  }, [name, edits])
  return [edits, dispatch]
}

/** The edits, and what makes them. */
export const useEdits = (query: TableQuery, info: TableInfo, rows: Dispatch<PagesAction>): TableEdits => {
  const client = useClient()
  const [edits, dispatch] = useKeptEdits(query)
  const latest = useRef({ client, query, info })
  const sending = useRef(new Set<number>())
  useEffect(() => {
    latest.current = { client, query, info }
  })
  useEffect(() => {
    for (const edit of readyToSend(edits)) {
      if (sending.current.has(edit.id)) continue
      sending.current.add(edit.id)
      dispatch({ type: 'edit.sent', id: edit.id })
      void sendEdit(latest.current, edit).then(event => {
        sending.current.delete(edit.id)
        if (event.type === 'edit.saved')
          rows({ type: 'row.replaced', info: latest.current.info, row: event.row, key: edit.key })
        dispatch(event)
      })
    }
  }, [edits, dispatch, rows])
  const waiting = edits.list.find(edit => edit.state.at === 'waiting')
  useRetry(waiting, () => {
    for (const { id, state } of edits.list) if (state.at === 'waiting') dispatch({ type: 'edit.retried', id })
  })
  const edit = useCallback(
    (row: Row, values: Values) => {
      const key = rowKey(info, row)
      if (key === undefined) return
      const read = readValues(values, info.columns)
      dispatch({
        type: 'edit.made',
        key,
        row,
        values,
        ...('failure' in read ? { failure: read.failure } : {}),
      })
    },
    [info, dispatch],
  )
  const retry = useCallback((id: number) => dispatch({ type: 'edit.retried', id }), [dispatch])
  const drop = useCallback((id: number) => dispatch({ type: 'edit.dropped', id }), [dispatch])
  const cells = useMemo(() => editedCells(edits), [edits])
  return { edits, cells, edit, retry, drop }
}
