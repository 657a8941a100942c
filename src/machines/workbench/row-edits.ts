// The edits of one table by one user: each is a machine, sent one after another per row, and only while that
// user is signed in.
import { assign, enqueueActions, sendParent, setup } from 'xstate'
import { withEvent } from '../with-event.ts'
import { port } from '../port.ts'
import type { PortBroken } from '../ports.ts'
import { AUTO_RETRY_DELAY, MAX_CONCURRENT_EDITS } from '../timings.ts'

/** Why it was not written. */
export interface EditFailure {
  readonly message: string
  /** No response arrived: the same edit may be written later. */
  readonly retry: boolean
}

export interface RowEditInput {
  readonly id: number
  /** Names of the columns; their new values are the user's data, which no machine knows. */
  readonly columns: readonly string[]
  /** It cannot be sent unchanged; found before sending. */
  readonly failure?: EditFailure
}

export interface RowEditContext {
  readonly id: number
  readonly columns: readonly string[]
  readonly failure: EditFailure | undefined
  readonly attempts: number
  /** The id of the last request. */
  readonly request: string | undefined
}

/** Events from the edit list, and from the user through it. */
export type RowEditEvent =
  /** Its turn to be sent. */
  | { readonly type: 'edit.granted' }
  /** The user typed more into the same row. */
  | { readonly type: 'edit.changed'; readonly columns: readonly string[]; readonly failure?: EditFailure }
  /** Retries it unchanged; after a conflict, overwrites the other change. */
  | { readonly type: 'edit.retry' }
  | { readonly type: 'edit.cancel' }

export type WriteEvent =
  | { readonly type: 'write.requested'; readonly request: string }
  | { readonly type: 'write.saved' }
  | ({ readonly type: 'write.failed' } & EditFailure)
  /** Another user changed the same cells, or the row no longer exists. */
  | { readonly type: 'write.conflicted' }
  | PortBroken

export type EditPhase = 'queued' | 'sending' | 'backingOff' | 'refused' | 'conflict'

/** Events sent to the edit list. */
export type RowEditReport =
  | { readonly type: 'edit.phaseChanged'; readonly id: number; readonly phase: EditPhase }
  | { readonly type: 'edit.ended'; readonly id: number }

/** The port: writes the cells if they still contain the values that were read. */
const writeEdit = port<WriteEvent, { readonly id: number }>('writeEdit')

type Changed = Extract<RowEditEvent, { type: 'edit.changed' }>

const notifyPhase = (phase: EditPhase) => ({ type: 'notifyPhase', params: { phase } }) as const

/** One edit of a row. */
export const rowEditMachine = setup({
  types: {
    context: {} as RowEditContext,
    events: {} as RowEditEvent | WriteEvent,
    input: {} as RowEditInput,
  },
  actors: { writeEdit },
  delays: { retryDelay: AUTO_RETRY_DELAY },
  guards: {
    isInvalid: (_, { failure }: { failure?: EditFailure | undefined }) => failure !== undefined,
    wasInvalid: ({ context }) => context.failure !== undefined,
    mayRetry: (_, { retry }: { retry: boolean }) => retry,
  },
  actions: {
    change: assign(({ context }, { columns, failure }: Changed) => ({
      columns: [...new Set([...context.columns, ...columns])],
      failure,
    })),
    setFailure: assign((_, { message, retry }: EditFailure) => ({ failure: { message, retry } })),
    clearFailure: assign({ failure: undefined }),
    setRequest: assign((_, { request }: { request: string }) => ({ request })),
    countAttempt: assign(({ context }) => ({ attempts: context.attempts + 1 })),
    notifyPhase: sendParent(
      ({ context: { id } }, { phase }: { phase: EditPhase }) =>
        ({ type: 'edit.phaseChanged', id, phase }) satisfies RowEditReport,
    ),
    notifyEnded: sendParent(({ context: { id } }) => ({ type: 'edit.ended', id }) satisfies RowEditReport),
  },
}).createMachine({
  id: 'rowEdit',
  context: ({ input: { id, columns, failure } }) => ({
    id,
    columns,
    failure,
    attempts: 0,
    request: undefined,
  }),
  initial: 'validating',
  states: {
    validating: {
      description:
        'Invalid values are not sent, and edits restored after a reload are not sent automatically.',
      always: [{ guard: 'wasInvalid', target: 'blocked.refused' }, { target: 'queued' }],
    },
    queued: {
      description: 'Waits for its turn: one edit per row at a time, and only while its user is signed in.',
      entry: ['clearFailure', notifyPhase('queued')],
      on: {
        'edit.granted': 'sending',
        'edit.changed': [
          {
            guard: withEvent('isInvalid'),
            target: 'blocked.refused',
            actions: withEvent('change'),
          },
          { actions: withEvent('change') },
        ],
        'edit.cancel': 'canceled',
      },
    },
    sending: {
      description: 'It cannot be undone or extended; further input becomes a separate edit.',
      entry: ['countAttempt', notifyPhase('sending')],
      invoke: { id: 'writeEdit', src: 'writeEdit', input: ({ context: { id } }) => ({ id }) },
      on: {
        'write.requested': { actions: withEvent('setRequest') },
        'write.saved': 'saved',
        'write.conflicted': 'blocked.conflict',
        'write.failed': [
          {
            guard: withEvent('mayRetry'),
            target: 'blocked.backingOff',
            actions: withEvent('setFailure'),
          },
          { target: 'blocked.refused', actions: withEvent('setFailure') },
        ],
        'port.broken': {
          target: 'blocked.refused',
          actions: {
            type: 'setFailure',
            params: ({ event: { failure } }) => ({ message: failure.message, retry: false }),
          },
        },
      },
    },
    blocked: {
      description: 'Not written: it can be changed, retried or canceled.',
      initial: 'refused',
      on: {
        'edit.changed': [
          {
            guard: withEvent('isInvalid'),
            target: '.refused',
            actions: withEvent('change'),
          },
          { target: 'queued', actions: withEvent('change') },
        ],
        'edit.retry': 'queued',
        'edit.cancel': 'canceled',
      },
      states: {
        backingOff: {
          description: 'No response; retried automatically.',
          entry: notifyPhase('backingOff'),
          after: { retryDelay: '#rowEdit.queued' },
        },
        refused: { description: 'It cannot be sent unchanged.', entry: notifyPhase('refused') },
        conflict: {
          description: 'The user chooses: their own value, the other user’s, or the original.',
          entry: notifyPhase('conflict'),
        },
      },
    },
    // The parent stops an ended edit immediately. A final state would leave a done event type with this
    // actor's id behind forever.
    saved: { entry: 'notifyEnded', on: { '*': {} } },
    canceled: { entry: 'notifyEnded', on: { '*': {} } },
  },
})

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

type AddEvent = {
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
  | AddEvent
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

/** The edits of the table, which decide when each is sent. */
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
    add: enqueueActions(({ context, enqueue }, { id, key, columns, failure }: AddEvent) => {
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
      guard: withEvent('isNew'),
      actions: withEvent('add'),
    },
    'edits.command': {
      guard: withEvent('isThere'),
      actions: withEvent('forward'),
    },
    'edits.retry': { actions: 'retryBackingOff' },
    'edit.phaseChanged': { actions: withEvent('setPhase') },
    'edit.ended': { actions: withEvent('removeEdit') },
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
        'edit.phaseChanged': { actions: [withEvent('setPhase'), 'grant'] },
        'edit.ended': { actions: [withEvent('removeEdit'), 'grant'] },
      },
    },
  },
})
