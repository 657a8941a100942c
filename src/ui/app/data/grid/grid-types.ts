// Props of the grid, independent of where its rows come from.
import type { ReactNode, RefObject } from 'react'
import type {
  Cell,
  Column,
  EditedCell,
  Labels,
  LaidColumn,
  LoadedRow,
  Place,
  Row,
  Selection,
  TableInfo,
  TableSort,
  Values,
  View,
} from '../../../../services/workbench/table/index.ts'
import type { SeenColumn } from './grid-rows.tsx'

/** A cell being edited. */
export interface Editing {
  /** Where editing began; the row may have moved since. */
  readonly place: Place
  readonly row: Row
  readonly key: string
  readonly column: string
  /** Initial text that replaces the value. */
  readonly typed?: string
}

/** Where the cursor goes after an edit. */
export type AfterEdit = 'stay' | 'down' | 'up' | 'right' | 'left'

/** Row and cell marks, by key. */
export interface GridMarks {
  readonly live: ReadonlySet<string>
  readonly leaving: ReadonlySet<string>
  readonly edited: ReadonlyMap<string, ReadonlyMap<string, EditedCell>>
}

export interface GridActions {
  readonly select: (selection: Selection) => void
  /** Moves the cursor to the first row, unless the user has placed it. */
  readonly place: () => void
  readonly sort: (column: string, isAdded: boolean) => void
  /** Opens the editor of a cell. */
  readonly edit: (place: Place, typed?: string) => void
  readonly cancel: () => void
  /** @param also values this choice sets in other columns of the row */
  readonly commit: (cell: Cell, after: AfterEdit, also?: Values) => void
  /** Reports the editor's current value. */
  readonly type: (cell: Cell) => void
  /** Writes cells, starting at the first selected one. */
  readonly paste: (cells: readonly (readonly Cell[])[]) => void
  readonly clear: (verb?: 'Cleared' | 'Cut') => void
  readonly undo: () => void
  readonly redo: () => void
  readonly deleteRows: () => void
  readonly insertRow: () => void
  /** Opens the details of the cursor's row. */
  readonly openRow: () => void
  readonly editRow: (row: Row) => void
  readonly deleteRow: (row: Row) => void
  readonly look: (first: number, last: number) => void
  readonly resize: (column: string, width: number) => void
  /** Makes the column as wide as its loaded values. */
  readonly fit: (column: string) => void
  readonly move: (column: string, to: string) => void
}

/** The cell a menu was opened on: its row, even if another row is now rendered there. */
export interface PointedCell extends Omit<LoadedRow, 'index'> {
  /** Name of the column. */
  readonly column: string
}

/** Where the inline draft row is rendered. */
export interface DraftPlace {
  readonly seen: readonly SeenColumn[]
  /** All shown columns, in order. */
  readonly columns: readonly LaidColumn[]
  readonly width: number
  readonly reveal: (column: number) => void
}

export interface GridProps {
  readonly info: TableInfo
  readonly columns: readonly LaidColumn[]
  /** The visible rows and columns. */
  readonly view: View
  readonly marks: GridMarks
  /** Labels of foreign keys, by column and key. */
  readonly labels: ReadonlyMap<string, Labels>
  readonly sorts: readonly TableSort[]
  readonly selection: Selection
  readonly editing: Editing | undefined
  readonly canEdit: boolean
  readonly canDelete: boolean
  readonly isBusy: boolean
  /** The element that receives focus for all cells. */
  readonly element?: RefObject<HTMLDivElement | null> | undefined
  /** The signed-in user's id. */
  readonly me: string | undefined
  /** The zone in which times are shown. */
  readonly zone: string
  readonly actions: GridActions
  readonly editor: (props: CellEditorProps) => ReactNode
  /** Rendered at the end of a column header. */
  readonly headMenu: (column: Column) => ReactNode
  /** Renders the cell menu; `close` runs actions that take focus after the menu has restored it. */
  readonly cellMenu: (cell: PointedCell, close: (run?: () => void) => void) => ReactNode
  /** A draft row below the header. */
  readonly draft?: ((place: DraftPlace) => ReactNode) | undefined
}

export interface CellEditorProps {
  readonly column: Column
  readonly row: Row
  /** The value, including unsaved input. */
  readonly cell: Cell
  readonly typed: string | undefined
  /** Error of the last attempt. */
  readonly error: string | undefined
  /** Whether the server alone decides what is valid. */
  readonly isUnchecked?: boolean
  readonly onCommit: (cell: Cell, after: AfterEdit, also?: Values) => void
  /** Called with the value on every change. */
  readonly onType?: (cell: Cell) => void
  readonly onCancel: () => void
}

export const ROW_HEIGHT = 30
export const HEAD_HEIGHT = 32
const DIGIT = 7

/** Width for the last row's number. */
export const gutterWidth = (count: number): number => Math.max(40, 20 + DIGIT * String(count).length)
export const ACTIONS_WIDTH = 66
/** Width of the text that fades out before the row buttons. */
export const ACTIONS_FADE = 28
