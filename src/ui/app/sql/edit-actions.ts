// What the keys of the grid do in a result that can be edited.
import {
  afterEdit,
  type Cell,
  columnsIn,
  isSingle,
  selectCell,
  selectedRows,
  type Selection,
  startOf,
  type View,
} from '../../../services/workbench/table/index.ts'
import type { ResultEdits } from '../../../services/workbench/sql/index.ts'
import type { AfterEdit, Editing, GridActions } from '../data/grid/grid-types.ts'

export interface EditContext {
  readonly edits: ResultEdits
  readonly view: View
  readonly selection: Selection
  readonly editing: Editing | undefined
  readonly setSelection: (selection: Selection) => void
  readonly setEditing: (editing: Editing | undefined) => void
  readonly openRow: () => void
}

type EditActions = Pick<
  GridActions,
  'edit' | 'cancel' | 'commit' | 'type' | 'paste' | 'clear' | 'undo' | 'redo'
>

const STEPS: Readonly<Record<Exclude<AfterEdit, 'stay'>, readonly ['Enter' | 'Tab', boolean]>> = {
  down: ['Enter', false],
  up: ['Enter', true],
  right: ['Tab', false],
  left: ['Tab', true],
}

/** A cell that is read-only opens the details of its row, which say why. */
export function editActions(context: EditContext): EditActions {
  const { edits, view, selection, editing, setSelection, setEditing, openRow } = context
  return {
    edit(place, typed) {
      const loaded = view.rows.at(place.row)
      const column = view.columns[place.column]
      if (!loaded || column === undefined) return
      if (!edits.canEdit(loaded.index, column)) return typed === undefined ? openRow() : undefined
      setSelection(selectCell(view, place))
      const { key, row } = loaded
      setEditing({ place, row, key, column, ...(typed === undefined ? {} : { typed }) })
    },
    cancel: () => setEditing(undefined),
    commit(cell, after) {
      if (!editing) return
      setEditing(undefined)
      commit(edits, editing, cell)
      if (after !== 'stay') setSelection(afterEdit(view, startOf(view, selection), ...STEPS[after]))
    },
    type: () => undefined,
    paste(cells) {
      const [index] = selectedRows(view, selection).loaded.map(each => each.index)
      const [name] = columnsIn(view, selection)
      const cell = cells[0]?.[0]
      if (!isSingle(selection) || cells.length !== 1 || cells[0]?.length !== 1 || cell === undefined) return
      if (index !== undefined && name !== undefined) edits.change(`Pasted ${name}`, [[index, name, cell]])
    },
    clear() {
      const names = columnsIn(view, selection)
      const cells = selectedRows(view, selection).loaded.flatMap(({ index }) =>
        names.flatMap(name => {
          const cell = emptyOf(edits, name)
          return cell === undefined ? [] : [[index, name, cell] as const]
        }),
      )
      edits.change('Cleared cells', cells)
    },
    undo: edits.undo,
    redo: edits.redo,
  }
}

/** Null, or an empty text where null is forbidden; undefined if the column has neither. */
function emptyOf(edits: ResultEdits, name: string): Cell | undefined {
  const column = edits.columns.get(name)?.column
  if (!column) return undefined
  if (!column.required) return null
  return column.type === 'text' ? '' : undefined
}

/** The same value again sends a refused edit again. */
function commit(edits: ResultEdits, { key, column }: Editing, cell: Cell): void {
  const edit = edits.state().edited.get(key)?.get(column)?.edit
  const isSame = edits.cellAt(Number(key), column) === cell
  if (isSame && edit && (edit.state.at === 'refused' || edit.state.at === 'backingOff')) edits.retry(edit.id)
  else edits.change(`Changed ${column}`, [[Number(key), column, cell]])
}
