// Live changes of a table, batched before they reach the rows.
import { useEffect, useRef, type Dispatch } from 'react'
import type { ChannelStatus, RowChange } from '../../../../services/client/index.ts'
import { useChannel } from '../../../react/index.ts'
import {
  type Pages,
  type PagesAction,
  rowKey,
  type TableInfo,
  type TableQuery,
} from '../../../../services/workbench/table/index.ts'

/**
 * Batching interval in ms: the first change applies immediately, later ones cause at most one read per
 * interval.
 */
const GATHER_MS = 120

/** The rows that the changes apply to. */
interface View {
  readonly info: TableInfo
  readonly pages: Pages
}

/** The effect of several changes on the visible rows; undefined when none is visible. */
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
    // RLS does not filter DELETE events, so the deletion of an unseen row tells nothing about visible rows.
    if (change.type === 'DELETE') shift -= shown.has(key) ? 1 : 0
    else keys.push(key)
    if (change.type === 'INSERT' && !shown.has(key)) shift += 1
  }
  return { type: 'rows.touched', keys, shift }
}

/** Dispatches changes to the reducer; returns the status of their channel. */
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
