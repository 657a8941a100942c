// Edits of one result: its current rows, what waits to be saved, and undo; sent by the SQL tool, not by REST.
import type { AnyJob } from '../jobs/run-job.ts'
import { explainCall } from '../rest/failed-call.ts'
import { StateStore } from '../storage/state-store.ts'
import { type Cell, readCell, withCells } from '../table/cells/cell-text.ts'
import { NO_DRAFTS } from '../table/edits/drafts.ts'
import {
  type EditDecision,
  type EditedCell,
  editedCells,
  type Edits,
  EditStore,
  type Values,
} from '../table/edits/edit-store.ts'
import type { RowChange } from '../table/edits/plan.ts'
import { type Column, fieldType, type Row } from '../table/schema.ts'
import { TableHistory } from '../table/table-session.ts'
import type { KeyPart, SqlColumn, SqlEdit, SqlEditAnswer, SqlMessage } from './sql-api.ts'
import { resultColumns, rowsOf, type SqlRows } from './sql-result.ts'

/** A column of a result that can be edited. */
export interface EditableColumn {
  /** For the editor; its name is that of the grid. */
  readonly column: Column
  readonly origin: NonNullable<SqlColumn['origin']>
  /** Columns with the primary key: by their names in the grid, their names in the table. */
  readonly key: ReadonlyMap<string, string>
}

export interface ResultState {
  /** As saved by edits since the script ran. */
  readonly rows: readonly Row[]
  readonly edits: Edits
  /** Edited cells that are not saved, by number of the row and name of the column. */
  readonly edited: ReadonlyMap<string, ReadonlyMap<string, EditedCell>>
  readonly canUndo: boolean
}

export interface ResultPorts {
  readonly send: (edit: Omit<SqlEdit, 'as'>) => Promise<SqlEditAnswer>
  /** Called when edits start, to add them to the console. */
  readonly onBegun: (job: AnyJob) => void
}

/** A join may repeat a row of a table: its places in the result, found from each of them. */
type Repetitions = ReadonlyMap<number, readonly number[]>

const tableOf = ({ origin: { schema, table } }: EditableColumn) => JSON.stringify([schema, table])

export class ResultEdits extends StateStore<ResultState> {
  readonly columns: ReadonlyMap<string, EditableColumn>
  readonly #store: EditStore
  readonly #history: TableHistory
  readonly #statement: SqlRows
  readonly #ports: ResultPorts
  readonly #names: readonly string[]
  readonly #repetitions = new Map<string, Repetitions>()
  readonly #initialRows: readonly Row[]
  #undoable = 0
  #redoable = 0

  constructor(statement: SqlRows, ports: ResultPorts) {
    const columns = resultColumns(statement.columns, fieldType)
    const rows = rowsOf(statement, columns)
    super({ rows, edits: [], edited: new Map(), canUndo: false })
    this.#statement = statement
    this.#ports = ports
    this.#initialRows = rows
    this.#names = columns.map(({ name }) => name)
    this.columns = editableColumns(statement.columns, columns)
    this.#store = new EditStore({
      schema: '',
      table: 'result',
      storage: { stored: NO_DRAFTS, save: () => true, onLeft: () => undefined },
      onKept: () => undefined,
      onBegun: ports.onBegun,
      isTheirs: () => true,
      isOnline: () => true,
      onChange: () => undefined,
      loaded: key => this.state().rows[rowOf(key)],
      onWritten: ({ key, columns: written, row, keySince }) => {
        this.#replace(key, written, row)
        this.#history.saved({ key, columns: written, row, keySince })
      },
      onOverwrite: overwritten => this.#history.overwrote(overwritten),
    })
    this.#history = new TableHistory({
      write: this.#store.make,
      order: () => 0,
      removeImport: () => 0,
      takeBack: () => false,
    })
    this.#store.sendBy({
      send: this.#send,
      add: () => Promise.reject(new Error('A result has no new rows')),
      check: () => undefined,
      keyOf: () => undefined,
    })
    this.#store.subscribe(() => this.#show())
  }

  /** The result with its current rows. */
  readonly statement = (): SqlRows => ({
    ...this.#statement,
    rows: this.state().rows.map(row => this.#names.map(name => textOf(row, name))),
  })

  /** Whether the cell can be edited: an outer join has no row of the table there if its key is null. */
  readonly canEdit = (index: number, name: string): boolean => {
    const editable = this.columns.get(name)
    const row = this.state().rows[index]
    return editable !== undefined && row !== undefined && keyOf(editable, row) !== undefined
  }

  /** The key of the row of the cell's table, by the table's names. */
  readonly keyAt = (index: number, name: string): readonly KeyPart[] | undefined => {
    const editable = this.columns.get(name)
    const row = this.state().rows[index]
    return editable && row && keyOf(editable, row)
  }

  /** The cell's value, also if it is not saved yet. */
  readonly cellAt = (index: number, name: string): Cell => {
    const edited = this.state().edited.get(String(index))?.get(name)
    return edited ? edited.cell : textOf(this.state().rows[index], name)
  }

  readonly change = (
    title: string,
    cells: readonly (readonly [index: number, name: string, cell: Cell])[],
  ) => {
    const changes = cells.flatMap(([index, name, cell]): readonly RowChange[] => {
      const row = this.state().rows[index]
      const editable = this.columns.get(name)
      if (!row || !editable || !this.canEdit(index, name)) return []
      const before = this.cellAt(index, name)
      const after = withZoneOf(editable.column, cell)
      const key = this.#editKey(editable, index)
      return before === after ? [] : [{ key, row, before: { [name]: before }, after: { [name]: after } }]
    })
    if (this.#history.change(title, changes) === undefined) return
    this.#undoable += 1
    this.#redoable = 0
    this.#show()
  }

  readonly undo = (): void => {
    if (this.#undoable === 0) return
    this.#undoable -= 1
    if (this.#history.undo().type === 'done') this.#redoable += 1
    this.#show()
  }

  readonly redo = (): void => {
    if (this.#redoable === 0) return
    this.#redoable -= 1
    if (this.#history.redo().type === 'done') this.#undoable += 1
    this.#show()
  }

  /** Sends it again; after a conflict, over the other value. */
  readonly retry = (id: number): void => this.#store.retry(id)

  /** Leaves what is stored, which is shown if it is known. */
  readonly discard = (id: number): void => {
    const edit = this.state().edits.find(each => each.id === id)
    const theirs = edit?.state.at === 'conflict' ? edit.state.theirs : undefined
    if (edit && theirs) this.#replace(edit.key, Object.keys(edit.values), theirs)
    this.#store.cancel(id)
  }

  /** The numbers of the rows in the result that an edit changes. */
  readonly rowsOf = (key: string): readonly number[] => {
    const index = rowOf(key)
    return this.#repetitions.get(key.slice(key.indexOf(' ') + 1))?.get(index) ?? [index]
  }

  /** Names the row of the table at its first place; the recording of the edits contains no values. */
  #editKey(editable: EditableColumn, index: number): string {
    const table = tableOf(editable)
    const repetitions = this.#repetitions.get(table) ?? findRepetitions(editable, this.#initialRows)
    this.#repetitions.set(table, repetitions)
    return `${repetitions.get(index)?.[0] ?? index} ${table}`
  }

  #replace(key: string, columns: readonly string[], from: Row): void {
    const places = new Set(this.rowsOf(key))
    const rows = this.state().rows.map((row, at) => (places.has(at) ? withCells(row, columns, from) : row))
    this.update({ rows })
  }

  #show(): void {
    const edits = this.#store.edits()
    const edited = new Map<string, ReadonlyMap<string, EditedCell>>()
    for (const [key, cells] of editedCells(edits))
      for (const at of this.rowsOf(key))
        edited.set(String(at), new Map([...(edited.get(String(at)) ?? []), ...cells]))
    this.update({ edits, edited, canUndo: this.#undoable > 0 })
  }

  readonly #send = async (edit: { readonly row: Row; readonly values: Values }): Promise<EditDecision> => {
    const names = Object.keys(edit.values)
    const rowWith = (values: readonly Cell[]): Row =>
      Object.fromEntries(names.map((name, at) => [name, values[at] ?? null]))
    try {
      const answer = await this.#ports.send(this.#requestFor(edit))
      switch (answer.end) {
        case 'saved':
          return { type: 'saved', row: rowWith(answer.values) }
        case 'conflict':
          return { type: 'conflict', theirs: withCells(edit.row, this.#names, rowWith(answer.values)) }
        case 'gone':
          return { type: 'conflict', theirs: undefined }
        case 'refused':
          return { type: 'failed', failure: { message: wordsOf(answer.error), retry: false } }
      }
    } catch (error) {
      return { type: 'failed', failure: await explainCall(error) }
    }
  }

  #requestFor({ row, values }: { readonly row: Row; readonly values: Values }): Omit<SqlEdit, 'as'> {
    const cells = Object.entries(values).map(([name, after]) => {
      const column = this.columns.get(name)?.origin.column ?? name
      return { column, before: textOf(row, name), after }
    })
    const editable = this.columns.get(Object.keys(values)[0] ?? '')
    const key = editable && keyOf(editable, row)
    if (!editable || !key) throw new Error('The edit is of no row')
    const { schema, table } = editable.origin
    return { schema, table, key, cells }
  }
}

const rowOf = (key: string): number => Number(key.slice(0, key.indexOf(' ')))

const textOf = (row: Row | undefined, name: string): Cell => {
  const value = row?.[name]
  return typeof value === 'string' ? value : null
}

/** Undefined if a part of it is null. */
function keyOf({ key }: EditableColumn, row: Row): readonly KeyPart[] | undefined {
  const parts: KeyPart[] = []
  for (const [name, column] of key) {
    const value = textOf(row, name)
    if (value === null) return undefined
    parts.push({ column, value })
  }
  return parts
}

function editableColumns(
  described: readonly SqlColumn[],
  columns: readonly Column[],
): ReadonlyMap<string, EditableColumn> {
  const editable = new Map<string, EditableColumn>()
  for (const [at, { origin, editing }] of described.entries()) {
    const column = columns[at]
    if (!column || !origin || !editing || 'readOnly' in editing) continue
    const key = new Map(
      editing.key.map(place => [columns[place]?.name ?? '', described[place]?.origin?.column ?? '']),
    )
    editable.set(column.name, { column: editorColumn(column, editing), origin, key })
  }
  return editable
}

/** What PostgreSQL writes is what is edited, such as `t` and `f`. */
function editorColumn(
  column: Column,
  { required, options }: { readonly required: boolean; readonly options?: readonly string[] | undefined },
): Column {
  if (column.type === 'boolean') return { ...column, required, type: 'enum', options: ['t', 'f'] }
  return options ? { ...column, required, type: 'enum', options } : { ...column, required }
}

/** The editor says that a time without a zone is in the zone of the browser. */
function withZoneOf(column: Column, cell: Cell): Cell {
  if (cell === null || column.type !== 'timestamp') return cell
  const reading = readCell(column, cell)
  return 'value' in reading && typeof reading.value === 'string' ? reading.value : cell
}

function findRepetitions(editable: EditableColumn, rows: readonly Row[]): Repetitions {
  const places = new Map<string, number[]>()
  const repetitions = new Map<number, readonly number[]>()
  for (const [at, row] of rows.entries()) {
    const key = keyOf(editable, row)
    if (!key) continue
    const text = JSON.stringify(key)
    const list = places.get(text) ?? []
    list.push(at)
    places.set(text, list)
    repetitions.set(at, list)
  }
  return repetitions
}

/** PostgreSQL's own words. */
const wordsOf = ({ message, detail, hint }: SqlMessage): string =>
  [message, detail, hint]
    .flatMap(text => (text === undefined ? [] : [/[.!?]$/.test(text) ? text : `${text}.`]))
    .join(' ')
