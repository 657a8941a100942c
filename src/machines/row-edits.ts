// The edits of one table by one user: sent one after another per row, and only while that user is signed in.
import { assign, enqueueActions, setup } from 'xstate'
import { eventParams } from './event-params.ts'
import {
  rowEditMachine,
  type EditFailure,
  type EditPlace,
  type RowEditReport,
  type RowEditEvent,
} from './row-edit.ts'

export interface RowEditsInput {
  readonly schema: string
  readonly table: string
}

export interface EditRow {
  readonly id: number
  /** Key of the row in the table. */
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
type Told = { readonly type: 'edits.tell'; readonly id: number; readonly word: RowEditEvent }

export type RowEditsEvent =
  /** The user is signed in, and the table is known. */
  | { readonly type: 'edits.allow' }
  | { readonly type: 'edits.hold' }
  /** The device is online again: waiting edits are sent immediately. */
  | { readonly type: 'edits.wake' }
  | Added
  | Told

/** Concurrent rows: a paste into a thousand rows leaves capacity for the page's other requests. */
const AT_ONCE = 4

const isStuck = ({ at }: EditRow) => at === 'refused' || at === 'conflicting'

/**
 * Edits that may be sent now: the first sendable one per row, so that a later edit never overtakes it. While
 * one waits for an unresponsive backend, the others wait too.
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
 * The edit of the same row that can absorb more input. An edit that is being sent does not change anymore;
 * one that cannot be sent does not block other cells of its row.
 */
export const findMergeableEdit = (
  rows: EditRows,
  key: string,
  columns: readonly string[],
): EditRow | undefined =>
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
      guard: { type: 'isNew', params: eventParams },
      actions: { type: 'add', params: eventParams },
    },
    'edits.tell': {
      guard: { type: 'isThere', params: eventParams },
      actions: { type: 'tell', params: eventParams },
    },
    'edits.wake': { actions: 'wake' },
    'edit.moved': { actions: { type: 'move', params: eventParams } },
    'edit.ended': { actions: { type: 'end', params: eventParams } },
  },
  states: {
    held: {
      description: 'The user is not signed in, or the table is not known yet: nothing is sent.',
      on: { 'edits.allow': 'going' },
    },
    going: {
      entry: 'grant',
      on: {
        'edits.hold': 'held',
        'edit.moved': { actions: [{ type: 'move', params: eventParams }, 'grant'] },
        'edit.ended': { actions: [{ type: 'end', params: eventParams }, 'grant'] },
      },
    },
  },
})
