// The edits of one table by one user: of each row one after another, and none in another's name.
import { assign, enqueueActions, setup } from 'xstate'
import { given } from './given.ts'
import {
  rowEditMachine,
  type EditFailure,
  type EditPlace,
  type RowEditReport,
  type RowEditWord,
} from './row-edit.ts'

export interface RowEditsInput {
  readonly schema: string
  readonly table: string
}

export interface EditRow {
  readonly id: number
  /** Of the row in the table. */
  readonly key: string
  readonly columns: readonly string[]
  readonly at: EditPlace
}

/** By id, oldest first. */
export type EditRows = Readonly<Record<string, EditRow>>

export interface RowEditsContext extends RowEditsInput {
  readonly rows: EditRows
}

type Added = {
  readonly type: 'edits.add'
  readonly id: number
  readonly key: string
  readonly columns: readonly string[]
  readonly failure?: EditFailure
}
type Told = { readonly type: 'edits.tell'; readonly id: number; readonly word: RowEditWord }

export type RowEditsEvent =
  /** Its user is signed in, and the table is known. */
  | { readonly type: 'edits.allow' }
  | { readonly type: 'edits.hold' }
  /** The device is online again: those that wait need not wait any longer. */
  | { readonly type: 'edits.wake' }
  | Added
  | Told

/** So many rows at a time: a paste into a thousand leaves room for what else the page asks. */
const AT_ONCE = 4

const isStuck = ({ at }: EditRow) => at === 'refused' || at === 'conflicting'

/**
 * Those that may go now: of each row the first that can, so that a later one never overtakes it. While one waits
 * because nobody answered, the others wait with it.
 */
const readyIn = (rows: EditRows): readonly EditRow[] => {
  const all = Object.values(rows).filter(row => !isStuck(row))
  const sending = all.filter(({ at }) => at === 'sending')
  const isSilent = all.some(({ at }) => at === 'waiting')
  const room = isSilent ? 0 : AT_ONCE - sending.length
  if (room <= 0) return []
  const busy = new Set(sending.map(({ key }) => key))
  const ready: EditRow[] = []
  for (const row of all) {
    if (row.at === 'queued' && !busy.has(row.key)) ready.push(row)
    if (ready.length === room) break
    busy.add(row.key)
  }
  return ready
}

/**
 * The edit that takes more of the same row in. What is on its way does not change any more; what can't go keeps no
 * other cell of its row back.
 */
export const takerIn = (rows: EditRows, key: string, columns: readonly string[]): EditRow | undefined =>
  Object.values(rows).find(
    row =>
      row.key === key &&
      (row.at === 'queued' || (row.at !== 'sending' && columns.some(name => row.columns.includes(name)))),
  )

const actorOf = (id: number) => `edit.${id}`

export const rowEditsMachine = setup({
  types: {
    context: {} as RowEditsContext,
    events: {} as RowEditsEvent | RowEditReport,
    input: {} as RowEditsInput,
  },
  actors: { rowEdit: rowEditMachine },
  guards: {
    isThere: ({ context }, { id }: { id: number }) => context.rows[id] !== undefined,
    isNew: ({ context }, { id }: { id: number }) => context.rows[id] === undefined,
  },
  actions: {
    add: enqueueActions(({ context, enqueue }, { id, key, columns, failure }: Added) => {
      const at = failure === undefined ? 'queued' : 'refused'
      enqueue.assign({ rows: { ...context.rows, [id]: { id, key, columns, at } } })
      const input = { id, columns, ...(failure && { failure }) }
      enqueue.spawnChild('rowEdit', { id: actorOf(id), input })
    }),
    tell: enqueueActions(({ context, enqueue }, { id, word }: Told) => {
      const row = context.rows[id]
      if (row && word.type === 'edit.changed') {
        const columns = [...new Set([...row.columns, ...word.columns])]
        enqueue.assign({ rows: { ...context.rows, [id]: { ...row, columns } } })
      }
      enqueue.sendTo(actorOf(id), word)
    }),
    move: assign(({ context }, { id, at }: { id: number; at: EditPlace }) => {
      const row = context.rows[id]
      return row ? { rows: { ...context.rows, [id]: { ...row, at } } } : {}
    }),
    end: enqueueActions(({ context, enqueue }, { id }: { id: number }) => {
      enqueue.stopChild(actorOf(id))
      enqueue.assign({
        rows: Object.fromEntries(Object.entries(context.rows).filter(([, row]) => row.id !== id)),
      })
    }),
    wake: enqueueActions(({ context, enqueue }) => {
      for (const { id, at } of Object.values(context.rows))
        if (at === 'waiting') enqueue.sendTo(actorOf(id), { type: 'edit.retry' })
    }),
    grant: enqueueActions(({ context, enqueue }) => {
      for (const { id } of readyIn(context.rows)) enqueue.sendTo(actorOf(id), { type: 'edit.granted' })
    }),
  },
}).createMachine({
  id: 'rowEdits',
  context: ({ input }) => ({ ...input, rows: {} }),
  initial: 'held',
  on: {
    'edits.add': {
      guard: { type: 'isNew', params: given },
      actions: { type: 'add', params: given },
    },
    'edits.tell': { guard: { type: 'isThere', params: given }, actions: { type: 'tell', params: given } },
    'edits.wake': { actions: 'wake' },
    'edit.moved': { actions: { type: 'move', params: given } },
    'edit.ended': { actions: { type: 'end', params: given } },
  },
  states: {
    held: {
      description: 'Its user is not signed in, or the table not known yet: nothing goes out.',
      on: { 'edits.allow': 'going' },
    },
    going: {
      entry: 'grant',
      on: {
        'edits.hold': 'held',
        'edit.moved': { actions: [{ type: 'move', params: given }, 'grant'] },
        'edit.ended': { actions: [{ type: 'end', params: given }, 'grant'] },
      },
    },
  },
})
