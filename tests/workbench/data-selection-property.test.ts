// Other users insert, update and delete rows while a user selects, edits, pastes, deletes and undoes: only
// cells that the user selected are written, and nothing that another user wrote is overwritten unseen.
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  cellOf,
  AS_GIVEN,
  layColumns,
  cursorPlace,
  isSingle,
  extendTo,
  selectAll,
  selectCell,
  selectRow,
  settle,
  INITIAL_SELECTION,
  type Selection,
  ALL_RIGHTS,
  rowKey,
  type Row,
  type TableInfo,
} from '../../src/services/workbench/table/index.ts'
import {
  beginEdit,
  clear,
  deleteSelected,
  endEdit,
  paste,
  type CommandState,
} from '../../src/ui/app/data/use-grid.ts'
import type { Editing } from '../../src/ui/app/data/grid/grid-types.ts'
import {
  loadedRows,
  type View,
  NO_PAGES,
  PAGE_ROWS,
  pagesReducer,
  rowCount,
} from '../../src/services/workbench/table/pages.ts'
import {
  DeletionStore,
  leavingKeys,
  UNDO_MS,
} from '../../src/services/workbench/table/edits/deletion-store.ts'
import { NO_DRAFTS } from '../../src/services/workbench/table/edits/drafts.ts'
import { EditStore, editedCells } from '../../src/services/workbench/table/edits/edit-store.ts'
import { TableHistory } from '../../src/services/workbench/table/table-session.ts'
import { column, ID_COLUMN } from '../harness/column.ts'
import { inHand } from '../harness/edit-store.ts'
import { assertProperty } from '../harness/volume.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const COLUMNS = [ID_COLUMN, column('wind'), column('note', 'text', { required: true })]
const info: TableInfo = { name: 'log', isKnown: true, rights: ALL_RIGHTS, columns: COLUMNS }
const laid = layColumns(COLUMNS, AS_GIVEN)
const ASKED = { type: 'query.asked', queryId: 'log', filters: '[]]' } as const
const FIRST = 130

const nameAt = (index: number) => COLUMNS[index]?.name ?? 'id'

/** A table, newest rows first, and a user of it whose pages are read only when they request them. */
class World {
  readonly server = new Map<number, Row>()
  /** What the user may have written, judged by the screen alone and not by the grid's own selection. */
  readonly granted = new Set<string>()
  readonly violations: string[] = []
  selection: Selection = INITIAL_SELECTION
  editing: Editing | undefined
  #pages = pagesReducer(NO_PAGES, ASKED)
  #next = 1
  #token = 0
  #lastRead = 0
  /** Ids of the selected rows, taken from the screen at the time of selection. */
  #selected: readonly number[] = []
  #anchor: number | undefined
  #columns: readonly string[] = []
  /** The value that a cell showed when the user last changed it other than by undoing. */
  readonly #seen = new Map<string, unknown>()
  /** Cells whose value on the server was written by another user. */
  readonly #byOthers = new Set<string>()
  readonly #history: TableHistory
  readonly #edits: EditStore
  readonly #deletions: DeletionStore
  readonly #waiting: (() => void)[] = []

  constructor() {
    this.insert(FIRST)
    this.#edits = new EditStore({
      schema: 'public',
      table: 'log',
      storage: inHand(NO_DRAFTS, () => undefined),
      onKept: () => undefined,
      onBegun: () => undefined,
      isTheirs: () => true,
      isOnline: () => true,
      onChange: () => undefined,
      loaded: key => this.view.rows.withKey(key)?.row,
      onWritten: written => {
        const { key, row } = written
        this.#dispatch({ type: 'row.replaced', info, row, key })
        this.#history.saved(written)
      },
      onOverwrite: overwritten => this.#history.overwrote(overwritten),
    })
    this.#edits.sendBy({
      check: () => undefined,
      keyOf: row => rowKey(info, row),
      add: () => Promise.reject(new Error('Nothing is added here')),
      send: ({ row, values }) =>
        new Promise(resolve => {
          this.#waiting.push(() => {
            const id = Number(row['id'])
            const now = this.server.get(id)
            const names = Object.keys(values)
            if (now === undefined || names.some(name => now[name] !== row[name]))
              return resolve({ type: 'conflict', theirs: now })
            for (const name of names) {
              this.#compare(id, name, now[name])
              this.#byOthers.delete(`${id}.${name}`)
            }
            const next = { ...now, ...values }
            this.server.set(id, next)
            resolve({ type: 'saved', row: next })
          })
        }),
    })
    this.#deletions = new DeletionStore({
      isTheirs: () => true,
      onUnseen: () => undefined,
      onBegun: () => undefined,
      onPending: () => undefined,
      onLate: () => undefined,
    })
    this.#deletions.sendBy({
      send: rows => {
        const gone = rows.filter(row => {
          const id = Number(row['id'])
          if (!this.granted.has(`delete ${id}`)) this.violations.push(`row ${id} was deleted unselected`)
          return this.server.delete(id)
        })
        return Promise.resolve({ ok: true, rows: gone, total: null, request: undefined })
      },
      keyOf: row => rowKey(info, row),
    })
    this.#deletions.watch({
      onGone: keys => this.#dispatch({ type: 'rows.gone', info, keys }),
      onEnd: () => undefined,
    })
    this.#history = new TableHistory({
      write: this.#edits.make,
      order: rows => this.#deletions.order(rows),
      removeImport: () => {
        throw new Error('Nothing is imported here')
      },
      takeBack: order => {
        const isThere = this.#deletions
          .list()
          .some(({ id, state }) => id === order && state.at === 'undoable')
        if (isThere) this.#deletions.undo(order)
        return isThere
      },
    })
    this.read(0)
    this.read(1)
  }

  view: View = this.#look()

  #look(): View {
    return {
      count: rowCount(this.#pages),
      columns: COLUMNS.map(({ name }) => name),
      rows: loadedRows(info, this.#pages),
    }
  }

  #dispatch(action: Parameters<typeof pagesReducer>[1]) {
    this.#pages = pagesReducer(this.#pages, action)
    this.view = this.#look()
    this.selection = settle(this.view, this.selection)
  }

  /** The id at a position on the screen. */
  #idAt(index: number): number | undefined {
    const row = this.#pages.rows.get(Math.floor(index / PAGE_ROWS))?.[index % PAGE_ROWS]
    return row && Number(row['id'])
  }

  #compare(id: number, name: string, was: unknown) {
    const cell = `${id}.${name}`
    if (!this.granted.has(cell)) this.violations.push(`${cell} was written unselected`)
    if (this.#byOthers.has(cell) && this.#seen.get(cell) !== was)
      this.violations.push(`${cell}: ${String(was)} was overwritten unseen`)
  }

  /** The user is about to change these cells, and sees their values. */
  #grant(ids: readonly number[], names: readonly string[]) {
    const edited = editedCells(this.#edits.edits())
    for (const id of ids)
      for (const name of names) {
        const shown = this.view.rows.withKey(String(id))?.row
        this.granted.add(`${id}.${name}`)
        if (shown && !edited.get(String(id))?.has(name))
          this.#seen.set(`${id}.${name}`, cellOf(this.#edits.latest(shown), { name }))
      }
  }

  get state(): CommandState {
    return {
      table: {
        readOnly: undefined,
        pages: { info },
        layout: { laid },
        edits: {
          cells: editedCells(this.#edits.edits()),
          latest: this.#edits.latest,
          retry: this.#edits.retry,
        },
        deletions: {
          leaving: leavingKeys(this.#deletions.list()),
          order: rows => {
            const keyed = new Map(rows.map(row => [rowKey(info, row) ?? '', row] as const))
            this.#history.deleted('rows', keyed, this.#deletions.order(keyed))
          },
        },
        changes: {
          run: ({ title, changes }) => void this.#history.change(title, changes),
          skip: () => undefined,
          change: (title, changes) => void this.#history.change(title, changes),
        },
      },
      view: this.view,
      selection: this.selection,
      editing: this.editing,
      setSelection: selection => (this.selection = selection),
      setEditing: editing => (this.editing = editing),
      openRow: () => undefined,
    }
  }

  // Actions of other users.
  insert(many: number) {
    for (let n = 0; n < many; n += 1) {
      const id = this.#next++
      this.server.set(id, { id, wind: this.#others(id, 'wind'), note: this.#others(id, 'note') })
    }
  }

  #others(id: number, name: string): string {
    this.#byOthers.add(`${id}.${name}`)
    return `o${(this.#token += 1)}`
  }

  /** On a row, mostly one that the user works on. */
  update(at: number, name: string) {
    const all = at % 4 > 0 && this.#selected.length > 0 ? this.#selected : [...this.server.keys()]
    const id = all[at % Math.max(1, all.length)]
    const row = id === undefined ? undefined : this.server.get(id)
    if (id !== undefined && row !== undefined) this.server.set(id, { ...row, [name]: this.#others(id, name) })
  }

  remove(at: number) {
    const id = [...this.server.keys()][at % Math.max(1, this.server.size)]
    if (id !== undefined) this.server.delete(id)
  }

  read(page: number) {
    this.#lastRead = page
    const rows = [...this.server.values()].toReversed().slice(page * PAGE_ROWS, (page + 1) * PAGE_ROWS)
    this.#dispatch({ type: 'rows.touched', keys: [], shift: 0 })
    this.#dispatch({
      type: 'page.read',
      page,
      rows,
      isLast: rows.length < PAGE_ROWS,
      isKeyShared: false,
      estimate: this.server.size,
      seenCount: page,
      isOutdated: false,
    })
  }

  // Actions of the user, as seen on the screen.
  select(at: number, to: number, columnAt: number, how: 'cell' | 'row' | 'shift' | 'all') {
    const { view } = this
    const from = at % Math.max(1, view.count)
    const end = how === 'shift' ? Math.min(view.count - 1, Math.max(0, from + to)) : from
    // A cursor on a row that is not loaded yet has its own tests.
    if (how !== 'all' && this.#idAt(end) === undefined) return
    if (how === 'all') {
      this.#selected = this.#onScreen(0, view.count - 1)
      this.#columns = COLUMNS.map(({ name }) => name)
      const place = cursorPlace(view, this.selection)
      this.#anchor = this.#idAt(place?.row ?? 0)
      this.selection = selectAll(view, this.selection)
    } else if (how === 'shift') {
      const target = end
      const isFirst = this.#anchor === undefined && this.#selected.length === 0
      const places = Array.from({ length: view.count }, (_, n) => n)
      const found = places.filter(index => this.#anchor !== undefined && this.#idAt(index) === this.#anchor)
      // Between two reads a row may be on two pages; the one that was read last is right.
      const latest = found.find(index => Math.floor(index / PAGE_ROWS) === this.#lastRead)
      // Until there is a selection the cursor is on the first row.
      const anchor = isFirst ? 0 : (latest ?? found[0] ?? target)
      const [top, bottom] = [Math.min(anchor, target), Math.max(anchor, target)]
      this.#selected = this.#onScreen(top, bottom)
      // The grid's columns: the risk is in which rows are written.
      this.#columns = COLUMNS.map(({ name }) => name)
      this.#anchor = this.#idAt(anchor)
      this.selection = extendTo(view, this.selection, { row: target, column: columnAt })
    } else {
      this.#selected = this.#onScreen(from, from)
      this.#columns = how === 'row' ? COLUMNS.map(({ name }) => name) : [nameAt(columnAt)]
      this.#anchor = this.#idAt(from)
      const place = { row: from, column: columnAt }
      this.selection = how === 'row' ? selectRow(view, place) : selectCell(view, place)
    }
    this.selection = settle(view, this.selection)
  }

  #onScreen(top: number, bottom: number): readonly number[] {
    const ids: number[] = []
    for (let index = top; index <= bottom; index += 1) {
      const id = this.#idAt(index)
      if (id !== undefined) ids.push(id)
    }
    return ids
  }

  clear() {
    this.#grant(this.#selected, this.#columns)
    clear(this.state, 'Cleared')
  }

  paste(lines: number) {
    const place = cursorPlace(this.view, this.selection)
    // The key is not edited: it identifies the rows. A block of a whole row leaves the cursor on it.
    if (lines === 1 && isSingle(this.selection) && place?.column === 0) return
    const ids =
      this.#selected.length === 1 && place && this.#idAt(place.row) === this.#selected[0]
        ? this.#onScreen(place.row, place.row + lines - 1)
        : this.#selected
    this.#grant(ids, COLUMNS.map(({ name }) => name).slice(1))
    paste(
      this.state,
      Array.from({ length: lines }, () => [`p${(this.#token += 1)}`]),
    )
    if (this.selection.rows.size > 1 && ids !== this.#selected) {
      this.#selected = ids
      this.#anchor = ids.at(-1)
    }
  }

  open() {
    const place = cursorPlace(this.view, this.selection)
    // The key is not edited: it identifies the rows.
    if (place === undefined || place.column === 0 || this.editing !== undefined) return
    beginEdit(this.state, place)
    const id = this.#idAt(place.row)
    if (this.editing === undefined || id === undefined) return
    this.#selected = [id]
    this.#anchor = id
    this.#columns = [nameAt(place.column)]
    this.#grant([id], this.#columns)
  }

  commit() {
    endEdit(this.state, `e${(this.#token += 1)}`, 'stay')
  }

  delete() {
    for (const id of this.#selected) this.granted.add(`delete ${id}`)
    const wasAnythingSelected = this.#selected.length > 0
    const { key } = this.selection.cursor
    const isOnScreen = cursorPlace(this.view, this.selection) !== undefined
    deleteSelected(this.state)
    // Until something is selected the cursor is on the first row, whichever that is.
    if (!wasAnythingSelected) return
    const place = cursorPlace(this.view, this.selection)
    const id = isOnScreen && place ? this.#idAt(place.row) : undefined
    this.#selected = id === undefined ? [] : [id]
    this.#columns = [nameAt(place?.column ?? 0)]
    this.#anchor = isOnScreen ? id : Number(key)
  }

  undo = () => void this.#history.undo()
  redo = () => void this.#history.redo()

  /** A conflict is decided by its user, with both values visible. */
  decide(isMine: boolean) {
    const conflict = this.#edits.edits().find(({ state }) => state.at === 'conflict')
    if (conflict?.state.at !== 'conflict') return
    const { id, key, values, state } = conflict
    if (!isMine || state.theirs === undefined) return this.#edits.cancel(id)
    for (const name of Object.keys(values)) this.#seen.set(`${key}.${name}`, state.theirs[name])
    this.#edits.retry(id)
  }

  async answer() {
    this.#waiting.shift()?.()
    await vi.advanceTimersByTimeAsync(0)
  }

  async settleAll() {
    for (let n = 0; n < 5_000 && (this.#waiting.length > 0 || n === 0); n += 1) await this.answer()
    await vi.advanceTimersByTimeAsync(UNDO_MS)
  }
}

const at = fc.nat(260)
const action = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.integer({ min: 1, max: 250 }).map(n => ['insert', (w: World) => w.insert(n)] as const),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(at, fc.constantFrom('wind', 'note'))
      .map(([n, name]) => [`update ${n}`, (w: World) => w.update(n, name)] as const),
  },
  { weight: 2, arbitrary: at.map(n => [`remove ${n}`, (w: World) => w.remove(n)] as const) },
  { weight: 5, arbitrary: fc.nat(1).map(n => [`read ${n}`, (w: World) => w.read(n)] as const) },
  {
    weight: 8,
    arbitrary: fc
      .tuple(
        at,
        fc.integer({ min: -6, max: 6 }),
        fc.integer({ min: 1, max: 2 }),
        fc.constantFrom(
          'cell',
          'cell',
          'cell',
          'row',
          'row',
          'row',
          'shift',
          'shift',
          'shift',
          'shift',
          'shift',
          'all',
        ),
      )
      .map(
        ([from, to, columnAt, how]) =>
          [`${how} ${from} ${to} ${columnAt}`, (w: World) => w.select(from, to, columnAt, how)] as const,
      ),
  },
  {
    weight: 12,
    arbitrary: fc
      .constantFrom('clear', 'open', 'commit', 'delete', 'undo', 'redo', 'answer', 'answer')
      .map(name => [name, (w: World) => w[name]()] as const),
  },
  {
    weight: 2,
    arbitrary: fc.integer({ min: 1, max: 4 }).map(n => [`paste ${n}`, (w: World) => w.paste(n)] as const),
  },
  { weight: 1, arbitrary: fc.boolean().map(is => [`decide ${is}`, (w: World) => w.decide(is)] as const) },
)

test('whatever other users do, only selected cells are written and nothing is overwritten unseen', async () => {
  await assertProperty(
    fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 45 }), async actions => {
      const world = new World()
      for (const [, run] of actions) await run(world)
      await world.settleAll()
      expect(world.violations).toEqual([])
    }),
    { numRuns: 60 },
  )
})
