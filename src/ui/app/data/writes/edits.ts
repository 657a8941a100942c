// Changes of cells that are not in the database yet: a chart of states for each, from typed to saved, and nothing lost between.
import type { Cell } from '../cells/cell-text.ts'
import { cellOf } from '../cells/cell-text.ts'
import type { DataFailure } from '../rest-failure.ts'
import type { Column, Row, TableInfo } from '../schema.ts'

/** What was typed, by column. */
export type Values = Readonly<Record<string, Cell>>

export type EditState =
  | { readonly at: 'queued' }
  | { readonly at: 'sending' }
  /** No answer came; it goes again by itself. */
  | { readonly at: 'waiting'; readonly failure: DataFailure }
  /** It can't go as it is. */
  | { readonly at: 'refused'; readonly failure: DataFailure }
  /** Somebody changed the same cells meanwhile, or the row is not there any more. */
  | { readonly at: 'conflicting'; readonly theirs: Row | undefined }

export interface Edit {
  readonly id: number
  /** Of its row. */
  readonly key: string
  /** The row as it was when the edit began. */
  readonly row: Row
  readonly values: Values
  readonly state: EditState
}

export type EditsEvent =
  | {
      readonly type: 'edit.made'
      readonly key: string
      readonly row: Row
      readonly values: Values
      readonly failure?: DataFailure
    }
  | { readonly type: 'edit.sent'; readonly id: number }
  | { readonly type: 'edit.saved'; readonly id: number; readonly row: Row }
  | { readonly type: 'edit.failed'; readonly id: number; readonly failure: DataFailure }
  | { readonly type: 'edit.crossed'; readonly id: number; readonly theirs: Row | undefined }
  /** Once more as it is; over what others wrote, where they did. */
  | { readonly type: 'edit.retried'; readonly id: number }
  | { readonly type: 'edit.dropped'; readonly id: number }

export interface Edits {
  readonly list: readonly Edit[]
  readonly next: number
}

export const NO_EDITS: Edits = { list: [], next: 1 }

const update = (edits: Edits, id: number, change: (edit: Edit) => Edit): Edits => ({
  ...edits,
  list: edits.list.map(edit => (edit.id === id ? change(edit) : edit)),
})

const without = (edits: Edits, id: number): Edits => ({
  ...edits,
  list: edits.list.filter(edit => edit.id !== id),
})

/** What is on its way does not change any more; what can't go keeps no other cell of its row back. */
const takesIn = ({ state, values: own }: Edit, values: Values): boolean =>
  state.at === 'queued' ||
  (state.at !== 'sending' && Object.keys(values).some(name => Object.hasOwn(own, name)))

/** An edit of a row that is still to be sent, or of the same cells, takes a later one in. */
const make = (edits: Edits, event: Extract<EditsEvent, { type: 'edit.made' }>): Edits => {
  const { key, row, values, failure } = event
  const state: EditState = failure === undefined ? { at: 'queued' } : { at: 'refused', failure }
  const open = edits.list.find(edit => edit.key === key && takesIn(edit, values))
  if (open === undefined)
    return { list: [...edits.list, { id: edits.next, key, row, values, state }], next: edits.next + 1 }
  return update(edits, open.id, edit => ({ ...edit, values: { ...edit.values, ...values }, state }))
}

/** The next edit of the same row was made on what this one wrote. */
const save = (edits: Edits, id: number, row: Row): Edits => {
  const { key } = edits.list.find(edit => edit.id === id) ?? {}
  const rest = without(edits, id)
  const follows = (edit: Edit) => edit.key === key && edit.state.at === 'queued'
  return { ...rest, list: rest.list.map(edit => (follows(edit) ? { ...edit, row } : edit)) }
}

const fail = (edits: Edits, id: number, failure: DataFailure): Edits =>
  update(edits, id, edit => ({ ...edit, state: { at: failure.retry ? 'waiting' : 'refused', failure } }))

const retry = (edits: Edits, id: number): Edits =>
  update(edits, id, edit => {
    const row = edit.state.at === 'conflicting' ? (edit.state.theirs ?? edit.row) : edit.row
    return { ...edit, row, state: { at: 'queued' } }
  })

/** The next state of all edits. */
export const editsReducer = (edits: Edits, event: EditsEvent): Edits => {
  switch (event.type) {
    case 'edit.made':
      return make(edits, event)
    case 'edit.sent':
      return update(edits, event.id, edit => ({ ...edit, state: { at: 'sending' } }))
    case 'edit.saved':
      return save(edits, event.id, event.row)
    case 'edit.failed':
      return fail(edits, event.id, event.failure)
    case 'edit.crossed':
      return update(edits, event.id, edit => ({
        ...edit,
        state: { at: 'conflicting', theirs: event.theirs },
      }))
    case 'edit.retried':
      return retry(edits, event.id)
    case 'edit.dropped':
      return without(edits, event.id)
  }
}

const isStuck = ({ state }: Edit) => state.at === 'refused' || state.at === 'conflicting'

/** Those that may go now: of each row the first that can, so that a later one never overtakes it. */
export const readyToSend = ({ list }: Edits): readonly Edit[] =>
  list.filter(
    (edit, at) =>
      edit.state.at === 'queued' && list.findIndex(each => each.key === edit.key && !isStuck(each)) === at,
  )

/** What an edit made of a cell, for its display. */
export interface EditedCell {
  readonly cell: Cell
  readonly edit: Edit
}

/** The edited cells of each row; a later edit covers an earlier one. */
export const editedCells = ({ list }: Edits): ReadonlyMap<string, ReadonlyMap<string, EditedCell>> => {
  const rows = new Map<string, Map<string, EditedCell>>()
  for (const edit of list) {
    const cells = rows.get(edit.key) ?? new Map<string, EditedCell>()
    for (const [name, cell] of Object.entries(edit.values)) cells.set(name, { cell, edit })
    rows.set(edit.key, cells)
  }
  return rows
}

/** What happened to the row meanwhile, seen from an edit that matched nothing. */
export type Crossing = 'gone' | 'same' | 'mine' | 'theirs'

/** `same`: nobody changed the cells, so that something else forbids it. `mine`: it was saved after all. */
export const crossingOf = (edit: Edit, now: Row | undefined, { columns }: TableInfo): Crossing => {
  if (now === undefined) return 'gone'
  const edited = columns.filter((column: Column) => Object.hasOwn(edit.values, column.name))
  if (edited.every(column => cellOf(now, column) === edit.values[column.name])) return 'mine'
  return edited.every(column => cellOf(now, column) === cellOf(edit.row, column)) ? 'same' : 'theirs'
}
