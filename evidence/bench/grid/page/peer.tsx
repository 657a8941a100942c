// The peer's grid with the same rows: react-data-grid, which Supabase Studio uses for its tables.
import { DataGrid, type Column } from 'react-data-grid'
import 'react-data-grid/lib/styles.css'
import { columns, ROWS, valueAt } from './rows.ts'

const made: readonly Column<number>[] = columns.map(({ name }, at) => ({
  key: name,
  name,
  width: 160,
  frozen: at === 0,
  renderCell: ({ row }) => {
    const value = valueAt(row, at)
    return value === null ? <em>null</em> : String(value)
  },
}))
/** It requires a list of all rows; their numbers take the least memory. */
const rows = Array.from({ length: ROWS }, (_, row) => row)
const keyOf = (row: number) => row

export function Peer() {
  return (
    <DataGrid
      aria-label="made up"
      className="peer"
      columns={made}
      rows={rows}
      rowHeight={30}
      rowKeyGetter={keyOf}
    />
  )
}
