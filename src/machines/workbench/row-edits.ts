// The edits of one table by one user: sent one after another per row, and only while that user is signed in.
import { assign, enqueueActions, setup } from 'xstate'
import { eventParams } from '../event-params.ts'
import {
  rowEditMachine,
  type EditFailure,
  type EditPhase,
  type RowEditReport,
  type RowEditEvent,
} from './row-edit.ts'
import { MAX_CONCURRENT_EDITS } from '../timings.ts'

export interface RowEditsInput {
  readonly schema: string
  readonly table: string
}

export interface EditRow {
  readonly id: number
  /** Key of the row in the table. */
  readonly key: string
  readonly columns: readonly string[]
  readonly phase: EditPhase
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
type Command = { readonly type: 'edits.command'; readonly id: number; readonly event: RowEditEvent }

export type RowEditsEvent =
  /** The user is signed in, and the table is known. */
  | { readonly type: 'edits.start' }
  | { readonly type: 'edits.pause' }
  /** The device is online again: edits that are backing off are sent immediately. */
  | { readonly type: 'edits.retry' }
  | Added
  | Command

const needsUser = ({ phase }: EditRow) => phase === 'refused' || phase === 'conflict'

/**
 * Edits that may be sent now: the first sendable one per row, so that a later edit never overtakes it. While
 * one backs off because the backend does not respond, the others wait too.
 */
const readyIn = (rows: EditRows): readonly EditRow[] => {
  const all = Object.values(rows).filter(row => !needsUser(row))
  const sending = all.filter(({ phase }) => phase === 'sending')
  const isBackingOff = all.some(({ phase }) => phase === 'backingOff')
  const room = isBackingOff ? 0 : MAX_CONCURRENT_EDITS - sending.length
  if (room <= 0) return []
  const busy = new Set(sending.map(({ key }) => key))
  const ready: EditRow[] = []
  for (const row of all) {
    if (row.phase === 'queued' && !busy.has(row.key)) ready.push(row)
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
      (row.phase === 'queued' ||
        (row.phase !== 'sending' && columns.some(name => row.columns.includes(name)))),
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
      const phase = failure === undefined ? 'queued' : 'refused'
      enqueue.assign({ rows: { ...context.rows, [id]: { id, key, columns, phase } } })
      const input = { id, columns, ...(failure && { failure }) }
      enqueue.spawnChild('rowEdit', { id: actorOf(id), input })
    }),
    forward: enqueueActions(({ context, enqueue }, { id, event }: Command) => {
      const row = context.rows[id]
      if (row && event.type === 'edit.changed') {
        const columns = [...new Set([...row.columns, ...event.columns])]
        enqueue.assign({ rows: { ...context.rows, [id]: { ...row, columns } } })
      }
      enqueue.sendTo(actorOf(id), event)
    }),
    setPhase: assign(({ context }, { id, phase }: { id: number; phase: EditPhase }) => {
      const row = context.rows[id]
      return row ? { rows: { ...context.rows, [id]: { ...row, phase } } } : {}
    }),
    removeEdit: enqueueActions(({ context, enqueue }, { id }: { id: number }) => {
      enqueue.stopChild(actorOf(id))
      enqueue.assign({
        rows: Object.fromEntries(Object.entries(context.rows).filter(([, row]) => row.id !== id)),
      })
    }),
    retryBackingOff: enqueueActions(({ context, enqueue }) => {
      for (const { id, phase } of Object.values(context.rows))
        if (phase === 'backingOff') enqueue.sendTo(actorOf(id), { type: 'edit.retry' })
    }),
    grant: enqueueActions(({ context, enqueue }) => {
      for (const { id } of readyIn(context.rows)) enqueue.sendTo(actorOf(id), { type: 'edit.granted' })
    }),
  },
}).createMachine({
  id: 'rowEdits',
  context: ({ input }) => ({ ...input, rows: {} }),
  initial: 'paused',
  on: {
    'edits.add': {
      guard: { type: 'isNew', params: eventParams },
      actions: { type: 'add', params: eventParams },
    },
    'edits.command': {
      guard: { type: 'isThere', params: eventParams },
      actions: { type: 'forward', params: eventParams },
    },
    'edits.retry': { actions: 'retryBackingOff' },
    'edit.phaseChanged': { actions: { type: 'setPhase', params: eventParams } },
    'edit.ended': { actions: { type: 'removeEdit', params: eventParams } },
  },
  states: {
    paused: {
      description: 'The user is not signed in, or the table is not known yet: nothing is sent.',
      on: { 'edits.start': 'active' },
    },
    active: {
      description: 'Edits are sent, a few rows at once.',
      entry: 'grant',
      on: {
        'edits.pause': 'paused',
        'edit.phaseChanged': { actions: [{ type: 'setPhase', params: eventParams }, 'grant'] },
        'edit.ended': { actions: [{ type: 'removeEdit', params: eventParams }, 'grant'] },
      },
    },
  },
})
