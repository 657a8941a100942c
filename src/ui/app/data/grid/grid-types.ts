// What the grid shows and tells, apart from where its rows come from.
import type { ReactNode, RefObject } from 'react'
import type { Cell } from '../cells/cell-text.ts'
import type { Column, Row, TableInfo } from '../schema.ts'
import type { TableSort } from '../table-query.ts'
import type { EditedCell, Values } from '../writes/edits.ts'
import type { LaidColumn } from './columns.ts'
import type { SeenColumn } from './grid-row.tsx'
import type { Place, Selection } from './selection.ts'
import type { LoadedRow, View } from './view.ts'

/** A cell that is being edited. */
export interface Editing {
  /** Where it began; the row may have moved since. */
  readonly place: Place
  readonly row: Row
  readonly key: string
  readonly column: string
  /** What was typed to begin with, in place of the value. */
  readonly typed?: string
}

/** Where the cursor goes after an edit. */
export type AfterEdit = 'stay' | 'down' | 'up' | 'right' | 'left'

/** What the rows of the grid are marked with, by key. */
export interface GridMarks {
  readonly live: ReadonlySet<string>
  readonly leaving: ReadonlySet<string>
  readonly edited: ReadonlyMap<string, ReadonlyMap<string, EditedCell>>
}

export interface GridActions {
  readonly select: (selection: Selection) => void
  /** Puts the cursor on the row that it is drawn on, unless it was put somewhere before. */
  readonly place: () => void
  readonly sort: (column: string, isAdded: boolean) => void
  /** Asks for the editor of a cell. */
  readonly edit: (place: Place, typed?: string) => void
  readonly cancel: () => void
  /** @param also what other columns of the row become with it */
  readonly commit: (cell: Cell, after: AfterEdit, also?: Values) => void
  /** What stands in the editor by now. */
  readonly type: (cell: Cell) => void
  /** Writes cells from the first selected one on. */
  readonly paste: (cells: readonly (readonly Cell[])[]) => void
  readonly clear: (verb?: 'Cleared' | 'Cut') => void
  readonly undo: () => void
  readonly redo: () => void
  readonly deleteRows: () => void
  readonly insertRow: () => void
  /** Shows the row of the cursor in full. */
  readonly openRow: () => void
  readonly editRow: (row: Row) => void
  readonly deleteRow: (row: Row) => void
  readonly look: (first: number, last: number) => void
  readonly resize: (column: string, width: number) => void
  readonly move: (column: string, to: string) => void
}

/** A cell that a menu was opened on: its row, whatever is drawn in its place by now. */
export interface PointedCell extends Omit<LoadedRow, 'index'> {
  /** Name of the column. */
  readonly column: string
}

/** Where a row that is not there yet is drawn. */
export interface DraftPlace {
  readonly seen: readonly SeenColumn[]
  /** All columns on show, in their order. */
  readonly columns: readonly LaidColumn[]
  readonly width: number
  readonly reveal: (column: number) => void
}

export interface GridProps {
  readonly info: TableInfo
  readonly columns: readonly LaidColumn[]
  /** The rows and columns on show. */
  readonly view: View
  readonly marks: GridMarks
  readonly sorts: readonly TableSort[]
  readonly selection: Selection
  readonly editing: Editing | undefined
  readonly canEdit: boolean
  readonly canDelete: boolean
  readonly isBusy: boolean
  /** The element that has the focus of all cells. */
  readonly element?: RefObject<HTMLDivElement | null> | undefined
  /** The user's own id. */
  readonly me: string | undefined
  readonly actions: GridActions
  readonly editor: (props: CellEditorProps) => ReactNode
  /** At the end of a column's head. */
  readonly headMenu: (column: Column) => ReactNode
  /** What can be done with a cell; what takes the focus is done once the menu has given it back. */
  readonly cellMenu: (cell: PointedCell, close: (run?: () => void) => void) => ReactNode
  /** A row that is being written, below the head. */
  readonly draft?: ((place: DraftPlace) => ReactNode) | undefined
}

export interface CellEditorProps {
  readonly column: Column
  readonly row: Row
  /** The value with what was typed but not saved. */
  readonly cell: Cell
  readonly typed: string | undefined
  /** Of the last try. */
  readonly error: string | undefined
  readonly onCommit: (cell: Cell, after: AfterEdit, also?: Values) => void
  /** Called with what would be kept, as it is typed. */
  readonly onType?: (cell: Cell) => void
  readonly onCancel: () => void
}

export const ROW_HEIGHT = 30
export const HEAD_HEIGHT = 32
const DIGIT = 7

/** Room for the number of the last row. */
export const gutterWidth = (count: number): number => Math.max(40, 20 + DIGIT * String(count).length)
export const ACTIONS_WIDTH = 66
