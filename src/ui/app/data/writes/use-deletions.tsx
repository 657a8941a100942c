// Deleting rows with a while to take it back: they are sent when it is over, or when the page is left.
import { useCallback, useEffect, useMemo, useReducer, useRef, type Dispatch } from 'react'
import { toast } from 'sonner'
import { useClient } from '../../../react.ts'
import type { PagesAction } from '../rows/pages.ts'
import { rowKey, type Row, type TableInfo } from '../schema.ts'
import type { TableQuery } from '../table-query.ts'
import { deletionsReducer, leavingKeys, UNDO_MS, type Deletion } from './deletions.ts'
import { deleteRows, ROWS_AT_ONCE } from './send.ts'

export interface TableDeletions {
  readonly list: readonly Deletion[]
  /** Keys of rows that are on their way out. */
  readonly leaving: ReadonlySet<string>
  readonly order: (rows: readonly Row[]) => void
  readonly undo: (id: number) => void
  readonly retry: (id: number) => void
}

const rowsText = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'row' : 'rows'}`

const toastOf = ({ name }: TableInfo, id: number) => `delete.${name}.${id}`

const PARTLY = 'Some of the rows were not deleted: a row policy forbids it, or they are gone already.'
const NONE = 'Nothing was deleted: a row policy forbids it, or the row is gone already.'

/** Deletions of a table's rows. */
export const useDeletions = (
  query: TableQuery,
  info: TableInfo,
  reload: () => void,
  rows: Dispatch<PagesAction>,
): TableDeletions => {
  const client = useClient()
  const [list, dispatch] = useReducer(deletionsReducer, [])
  const latest = useRef({ list, writing: { client, query, info }, reload })
  const next = useRef(1)
  const timers = useRef(new Map<number, ReturnType<typeof setTimeout>>())
  useEffect(() => {
    latest.current = { list, writing: { client, query, info }, reload }
  })
  const send = useCallback(
    async (id: number, ordered: ReadonlyMap<string, Row>) => {
      clearTimeout(timers.current.get(id))
      timers.current.delete(id)
      dispatch({ type: 'deletion.sent', id })
      const all = [...ordered.values()]
      let gone = 0
      for (let at = 0; at < all.length; at += ROWS_AT_ONCE) {
        const answer = await deleteRows(latest.current.writing, all.slice(at, at + ROWS_AT_ONCE))
        if (!answer.ok) {
          dispatch({ type: 'deletion.failed', id, failure: answer.failure })
          return
        }
        gone += answer.rows.length
      }
      if (gone < all.length)
        dispatch({
          type: 'deletion.failed',
          id,
          failure: { message: gone === 0 ? NONE : PARTLY, retry: false },
        })
      else {
        rows({ type: 'rows.gone', info: latest.current.writing.info, keys: new Set(ordered.keys()) })
        dispatch({ type: 'deletion.done', id })
      }
      latest.current.reload()
    },
    [rows],
  )
  const undo = useCallback((id: number) => {
    clearTimeout(timers.current.get(id))
    timers.current.delete(id)
    toast.dismiss(toastOf(latest.current.writing.info, id))
    dispatch({ type: 'deletion.dropped', id })
  }, [])
  const order = useCallback(
    (rows: readonly Row[]) => {
      const keyed = new Map(rows.flatMap(row => [[rowKey(info, row) ?? '', row] as const]))
      keyed.delete('')
      if (keyed.size === 0) return
      const id = next.current++
      dispatch({ type: 'deletion.ordered', id, rows: keyed })
      timers.current.set(
        id,
        setTimeout(() => void send(id, keyed), UNDO_MS),
      )
      toast(`Deleting ${rowsText(keyed.size)} of ${info.name}`, {
        id: toastOf(info, id),
        duration: UNDO_MS,
        action: { label: 'Undo', onClick: () => undo(id) },
      })
    },
    [info, send, undo],
  )
  const retry = useCallback(
    (id: number) => {
      const found = latest.current.list.find(each => each.id === id)
      if (found !== undefined) void send(id, found.rows)
    },
    [send],
  )
  useEffect(() => {
    const waiting = timers.current
    return () => {
      for (const { id, rows, state } of latest.current.list)
        if (state.at === 'undoable' && waiting.has(id)) void send(id, rows)
    }
  }, [send])
  const leaving = useMemo(() => leavingKeys(list), [list])
  return { list, leaving, order, undo, retry }
}
