// Changes of a table as they happen: gathered for a moment, then said to the rows at once.
import { useEffect, useRef, type Dispatch } from 'react'
import type { ChannelStatus, RowChange } from '../../../../index.ts'
import { useChannel } from '../../../react.ts'
import { rowKey, type TableInfo } from '../schema.ts'
import type { TableQuery } from '../table-query.ts'
import type { Pages, PagesAction } from './pages.ts'

/** A storm of changes costs a read each so many milliseconds, and a single one is seen without delay. */
const GATHER_MS = 120

/** What the changes were said about. */
interface View {
  readonly info: TableInfo
  readonly pages: Pages
}

/** What several changes mean for the rows on show; undefined when nothing of them is seen. */
export const touchedBy = (
  changes: readonly Pick<RowChange, 'type' | 'record' | 'old'>[],
  { info, pages }: View,
): Extract<PagesAction, { type: 'rows.touched' }> | undefined => {
  const shown = new Set([...pages.rows.values()].flat().map(row => rowKey(info, row)))
  const keys: string[] = []
  let shift = 0
  for (const change of changes) {
    const key = rowKey(info, change.type === 'DELETE' ? change.old : change.record)
    if (key === undefined) continue
    // Policies do not filter deletions, so one of an unseen row says nothing about those that may be seen.
    if (change.type === 'DELETE') shift -= shown.has(key) ? 1 : 0
    else keys.push(key)
    if (change.type === 'INSERT' && !shown.has(key)) shift += 1
  }
  return { type: 'rows.touched', keys, shift }
}

/** Tells the reducer of changes; the state of the channel that brings them. */
export const useTableChanges = (
  { schema, table }: TableQuery,
  view: View,
  dispatch: Dispatch<PagesAction>,
): ChannelStatus => {
  const latest = useRef(view)
  useEffect(() => {
    latest.current = view
  })
  const { status, handle } = useChannel(`rows:${schema === 'public' ? '' : `${schema}.`}${table}`, {
    postgresChanges: [{ event: '*', schema, table }],
  })
  useEffect(() => {
    const gathered: RowChange[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const flush = () => {
      timer = undefined
      const action = touchedBy(gathered.splice(0), latest.current)
      if (action !== undefined) dispatch(action)
    }
    const stop = handle?.on('change', change => {
      gathered.push(change)
      timer ??= setTimeout(flush, GATHER_MS)
    })
    return () => {
      stop?.()
      clearTimeout(timer)
    }
  }, [handle, dispatch])
  return status
}
