// The rows of one result, in the grid of the table page, with its editors; and a dialog for whole values.
import { useCallback, useEffect, useMemo, useState } from 'react'
import { Button } from '../../widgets/button.tsx'
import { Dialog, DialogActions } from '../../widgets/dialog.tsx'
import { ActionMenu } from '../../widgets/menu.tsx'
import {
  cellOf,
  cursorPlace,
  INITIAL_SELECTION,
  type LaidColumn,
  type LoadedRow,
  type Selection,
  selectCell,
  selectKey,
  startOf,
  type View,
  widthFor,
} from '../../../services/workbench/table/index.ts'
import {
  readOnlyReason,
  type ResultEdits,
  type ResultState,
  resultTable,
  resultView,
  type SqlRows,
} from '../../../services/workbench/sql/index.ts'
import { CellEditor } from '../data/editors/cell-editor.tsx'
import { Grid } from '../data/grid/grid.tsx'
import type { CellEditorProps, Editing, GridActions, PointedCell } from '../data/grid/grid-types.ts'
import { copyText } from '../shell/copy-text.ts'
import { useTimeZone } from '../time-zone.ts'
import { editActions } from './edit-actions.ts'
import styles from './sql.module.css'

const NO_ROWS: ReadonlySet<string> = new Set()
const NO_LABELS = new Map()
const nothing = () => undefined

export interface ResultGridProps {
  readonly statement: SqlRows
  /** Names the result, such as `result 2`. */
  readonly name: string
  readonly edits: ResultEdits
  readonly state: ResultState
  /** Called with the number of the cursor's row. */
  readonly onRow: (index: number) => void
}

/** One tab stop: arrows move, Enter edits, Space shows the whole row, Mod+C copies. */
export function ResultGrid({ statement, name, edits, state, onRow }: ResultGridProps) {
  const table = useMemo(() => resultTable(statement, name), [statement, name])
  const view = useMemo(() => resultView(table, state.rows), [table, state.rows])
  const [selection, setSelection] = useState(INITIAL_SELECTION)
  const [widths, setWidths] = useState<ReadonlyMap<string, number>>(new Map())
  const [openKey, setOpenKey] = useState<string>()
  const [editing, setEditing] = useState<Editing>()
  const { info } = table
  const laid = useMemo(
    () => table.laidColumns.map(each => ({ ...each, width: widths.get(each.column.name) ?? each.width })),
    [table, widths],
  )
  const place = cursorPlace(view, selection)
  const cursorRow = selection.isPlaced ? place?.row : undefined
  useEffect(() => {
    if (cursorRow !== undefined && cursorRow >= 0) onRow(cursorRow)
  }, [cursorRow, onRow])
  const zone = useTimeZone()
  const editor = useCallback((props: CellEditorProps) => <ResultEditor {...props} edits={edits} />, [edits])
  const openRow = () => setOpenKey(view.rows.at(place?.row ?? -1)?.key)
  const context = { edits, view, selection, editing, setSelection, setEditing, openRow }
  const actions = {
    ...layoutActions(table.laidColumns, view, setSelection, setWidths, setOpenKey),
    ...editActions(context),
    openRow,
  }
  const open = openKey === undefined ? undefined : view.rows.withKey(openKey)
  const menu = (cell: PointedCell, close: (run?: () => void) => void) => (
    <CellMenu
      cell={cell}
      edits={edits}
      onClose={close}
      onShow={() => {
        setSelection(selectKey(view, cell.key, cell.row, cell.column))
        setOpenKey(cell.key)
      }}
    />
  )
  return (
    <>
      <Grid
        info={info}
        columns={laid}
        view={view}
        marks={{ live: NO_ROWS, leaving: NO_ROWS, edited: state.edited }}
        labels={NO_LABELS}
        sorts={[]}
        selection={selection}
        editing={editing}
        canEdit={false}
        canDelete={false}
        isBusy={false}
        me={undefined}
        zone={zone}
        actions={actions}
        editor={editor}
        headMenu={() => null}
        cellMenu={menu}
      />
      {open === undefined ? null : (
        <RowDialog row={open} statement={statement} columns={laid} onClose={() => setOpenKey(undefined)} />
      )}
    </>
  )
}

/** The editor of the column's type; PostgreSQL decides what is valid. */
function ResultEditor({ edits, ...props }: CellEditorProps & { readonly edits: ResultEdits }) {
  const column = edits.columns.get(props.column.name)?.column ?? props.column
  return <CellEditor {...props} column={column} isUnchecked />
}

function layoutActions(
  laid: readonly LaidColumn[],
  view: View,
  setSelection: (next: Selection | ((before: Selection) => Selection)) => void,
  setWidths: (next: (before: ReadonlyMap<string, number>) => ReadonlyMap<string, number>) => void,
  setOpenKey: (key: string | undefined) => void,
): Omit<GridActions, keyof ReturnType<typeof editActions> | 'openRow'> {
  const resize = (name: string, width: number) => setWidths(before => new Map([...before, [name, width]]))
  const showRow = (row: LoadedRow['row']) => {
    for (let at = 0; at < view.count; at += 1)
      if (view.rows.at(at)?.row === row) return setOpenKey(view.rows.at(at)?.key)
  }
  return {
    select: setSelection,
    place: () => setSelection(before => (before.isPlaced ? before : selectCell(view, startOf(view, before)))),
    sort: nothing,
    deleteRows: nothing,
    insertRow: nothing,
    editRow: showRow,
    deleteRow: nothing,
    look: nothing,
    resize,
    fit(name) {
      const column = laid.find(each => each.column.name === name)?.column
      if (!column) return
      const texts = view.rows.between(0, view.count - 1).map(({ row }) => cellOf(row, column) ?? 'null')
      resize(name, widthFor(column, texts))
    },
    move: nothing,
  }
}

interface CellMenuProps {
  readonly cell: PointedCell
  readonly edits: ResultEdits
  readonly onClose: (run?: () => void) => void
  readonly onShow: () => void
}

function CellMenu({ cell: { key, column }, edits, onClose, onShow }: CellMenuProps) {
  const index = Number(key)
  const editable = edits.canEdit(index, column) ? edits.columns.get(column)?.column : undefined
  const copy = () => void copyText(edits.cellAt(index, column) ?? '', `Copied ${column}`)
  const change = (cell: string | null) => () => edits.change(`Changed ${column}`, [[index, column, cell]])
  return (
    <ActionMenu
      label={column}
      actions={[
        { id: 'copy', title: 'Copy value', run: () => onClose(copy) },
        { id: 'show', title: 'Row details', text: 'Space', run: () => onClose(onShow) },
        ...(editable && !editable.required
          ? [{ id: 'null', title: 'Set null', text: 'Delete', run: () => onClose(change(null)) }]
          : []),
        ...(editable?.type === 'text'
          ? [{ id: 'empty', title: 'Set empty text', run: () => onClose(change('')) }]
          : []),
      ]}
      onClose={() => onClose()}
    />
  )
}

interface RowDialogProps {
  readonly row: LoadedRow
  readonly statement: SqlRows
  readonly columns: readonly LaidColumn[]
  readonly onClose: () => void
}

/** Values as PostgreSQL writes them, which the grid shortens. */
function RowDialog({ row: { index, row }, statement, columns, onClose }: RowDialogProps) {
  const isEditable = readOnlyReason(statement) === undefined
  return (
    <Dialog title={`Row ${index + 1}`} isOpen onClose={onClose} wide>
      <dl className={styles.details}>
        {columns.map(({ column }, at) => {
          const cell = cellOf(row, column)
          const editing = statement.columns[at]?.editing
          return (
            <div key={column.name}>
              <dt>
                {column.name} <span className={styles.faint}>{column.format}</span>
                {isEditable && editing && 'readOnly' in editing ? (
                  <span className={styles.faint}> · read-only: {editing.readOnly}</span>
                ) : null}
              </dt>
              <dd>
                {cell === null ? (
                  <span className={styles.absent}>null</span>
                ) : cell === '' ? (
                  <span className={styles.absent}>empty</span>
                ) : (
                  <pre className={styles.value}>{cell}</pre>
                )}
              </dd>
            </div>
          )
        })}
      </dl>
      <DialogActions>
        <Button onPress={onClose}>Close</Button>
      </DialogActions>
    </Dialog>
  )
}
