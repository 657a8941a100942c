// The workbench's grid with the generated rows.
import { useState } from 'react'
import { AS_GIVEN, layColumns } from '../../../../src/services/workbench/table/columns.ts'
import { Grid } from '../../../../src/ui/app/data/grid/grid.tsx'
import type { GridActions } from '../../../../src/ui/app/data/grid/grid-types.ts'
import { INITIAL_SELECTION } from '../../../../src/services/workbench/table/selection.ts'
import type { LoadedRow, View } from '../../../../src/services/workbench/table/pages.ts'
import { ALL_RIGHTS, type Row, type TableInfo } from '../../../../src/services/workbench/table/schema.ts'
import { columns, ROWS, valueAt } from './rows.ts'

const info: TableInfo = { name: 'made up', columns, isKnown: true, rights: ALL_RIGHTS }
const laid = layColumns(columns, AS_GIVEN)
const made = new Map<number, Row>()

/** Creates a row on first access; later calls return the same object. */
function rowAt(index: number): Row {
  const known = made.get(index)
  if (known !== undefined) return known
  const row: Row = Object.fromEntries(columns.map(({ name }, column) => [name, valueAt(index, column)]))
  made.set(index, row)
  return row
}

const nothing = () => undefined
const none = new Set<string>()
const noLabels = new Map<string, never>()
const marks = { live: none, leaving: none, edited: new Map() }

const loadedAt = (index: number): LoadedRow | undefined =>
  index < 0 || index >= ROWS ? undefined : { index, key: String(index), row: rowAt(index) }

/** A small block of rows; selecting all million is not measured. */
function between(top: number, bottom: number): readonly LoadedRow[] {
  return Array.from({ length: bottom - top + 1 }, (_, n) => loadedAt(top + n)).filter(
    row => row !== undefined,
  )
}

const view: View = {
  count: ROWS,
  columns: columns.map(({ name }) => name),
  rows: { at: loadedAt, withKey: key => loadedAt(Number(key)), between },
}

export function Ours() {
  const [selection, select] = useState(INITIAL_SELECTION)
  const [actions] = useState((): GridActions => ({
    select: next => select(next),
    place: nothing,
    undo: nothing,
    redo: nothing,
    sort: nothing,
    edit: nothing,
    cancel: nothing,
    commit: nothing,
    paste: nothing,
    clear: nothing,
    deleteRows: nothing,
    openRow: nothing,
    editRow: nothing,
    deleteRow: nothing,
    insertRow: nothing,
    type: nothing,
    fit: nothing,
    look: nothing,
    resize: nothing,
    move: nothing,
  }))
  return (
    <Grid
      info={info}
      columns={laid}
      view={view}
      marks={marks}
      labels={noLabels}
      sorts={[]}
      zone="UTC"
      selection={selection}
      editing={undefined}
      canEdit
      canDelete
      isBusy={false}
      me={undefined}
      actions={actions}
      editor={nothing}
      headMenu={nothing}
      cellMenu={nothing}
    />
  )
}
