// The cursor and the cell that is edited, which stay with their row when rows come and go above it.
import { useEffect, useRef, useState } from 'react'
import { rowKey, type Row, type TableInfo } from '../schema.ts'
import type { Editing } from './grid-types.ts'
import { START, type Selection } from './selection.ts'

export interface CursorOptions {
  readonly info: TableInfo
  /** Changes whenever rows do. */
  readonly rows: unknown
  readonly rowAt: (index: number) => Row | undefined
}

/** How far a row is looked for after others came or went. */
const NEAR = 300

const indexOf = (key: string, from: number, { info, rowAt }: CursorOptions): number | undefined => {
  const is = (index: number) => {
    const row = index < 0 ? undefined : rowAt(index)
    return row !== undefined && rowKey(info, row) === key
  }
  for (let by = 0; by < NEAR; by += 1) {
    if (is(from + by)) return from + by
    if (is(from - by)) return from - by
  }
  return undefined
}

export const useSelection = (options: CursorOptions) => {
  const [selection, setSelection] = useState<Selection>(START)
  const [editing, setEditing] = useState<Editing>()
  const key = useRef<string>(undefined)
  const latest = useRef({ options, selection })
  useEffect(() => {
    latest.current = { options, selection }
  })
  const { cursor } = selection
  useEffect(() => {
    const { options: now } = latest.current
    const row = cursor.row < 0 ? undefined : now.rowAt(cursor.row)
    key.current = row === undefined ? undefined : rowKey(now.info, row)
  }, [cursor.row])
  const { rows } = options
  useEffect(() => {
    const { options: now, selection: before } = latest.current
    const { row } = before.cursor
    if (row < 0) return
    if (key.current === undefined) {
      const found = now.rowAt(row)
      key.current = found === undefined ? undefined : rowKey(now.info, found)
      return
    }
    // At the top one wants to see what comes in, not to be carried away by it.
    if (row === 0 && before.anchor.row === 0) {
      const found = now.rowAt(0)
      key.current = found === undefined ? undefined : rowKey(now.info, found)
      return
    }
    const place = indexOf(key.current, row, now)
    if (place === undefined || place === row) return
    const by = place - row
    setSelection({
      ...before,
      cursor: { ...before.cursor, row: place },
      anchor: { ...before.anchor, row: Math.max(0, before.anchor.row + by) },
    })
  }, [rows])
  return { selection, setSelection, editing, setEditing }
}
