// A row import: sends batches one after the other, and halves refused batches until the bad rows are found.
import { assign, setup } from 'xstate'
import { planRetry } from '../backoff.ts'
import type { Failure } from '../failure.ts'
import { withEvent } from '../with-event.ts'
import { port } from '../port.ts'
import type { PortBroken } from '../ports.ts'
import { IMPORT_SAME_FAILURES, JOB_RETRY } from '../timings.ts'

/** Rows by number: from `from` up to, but not including, `to`. */
export type RowRange = readonly [from: number, to: number]

export interface RowImportInput {
  /** Batches in order. */
  readonly batches: readonly RowRange[]
  /** Sending rows twice is harmless: existing rows are skipped or written unchanged. */
  readonly repeatable: boolean
  /** One batch that is written completely or not at all. */
  readonly whole: boolean
  /** Asks the server for the rows that it adds, for undo. */
  readonly returning: boolean
  readonly seed: number
}

export interface RefusedRow {
  readonly row: number
  readonly failure: Failure
}

export interface RowImportContext extends RowImportInput {
  /** Remaining batches; the first one is being sent. */
  readonly queue: readonly RowRange[]
  readonly total: number
  /** Rows written to the table so far. */
  readonly written: number
  /** Rows that existed before and were skipped. */
  readonly skipped: number
  /** Written rows that the server did not return. */
  readonly unreturned: number
  readonly refused: readonly RefusedRow[]
  /** Rows that may or may not have been written. */
  readonly unknown: readonly RowRange[]
  /** The user's request, applied once the current batch has a result. */
  readonly request: 'continue' | 'pause' | 'cancel'
  readonly attempt: number
  readonly delay: number
  /** Single rows in a row that were refused for the same reason. */
  readonly sameFailures: number
  /** The user was warned about that, and continued. */
  readonly warned: boolean
  readonly failure: Failure | undefined
}

export type RowImportEvent =
  | { readonly type: 'import.pause' }
  | { readonly type: 'import.resume' }
  | { readonly type: 'import.cancel' }
  /** For rows that may have been written: send them again, or skip them. */
  | { readonly type: 'import.retry' }
  | { readonly type: 'import.skip' }

export type BatchEvent =
  | {
      readonly type: 'batch.written'
      readonly written: number
      readonly skipped: number
      readonly unreturned: number
    }
  /** The server refused the batch and wrote none of its rows. */
  | {
      readonly type: 'batch.refused'
      readonly failure: Failure
      readonly hopeless: boolean
      /** For lack of a right: perhaps that to read the added rows. */
      readonly forbidden: boolean
    }
  /** None of the rows was written, and the same batch may be sent later. */
  | { readonly type: 'batch.delayed'; readonly failure: Failure }
  /** No response: the rows may have been written. */
  | { readonly type: 'batch.lost'; readonly failure: Failure }
  | PortBroken

export interface BatchInput {
  readonly range: RowRange
  readonly returning: boolean
}

/** The port: sends the rows of a range. */
const sendBatch = port<BatchEvent, BatchInput>('sendBatch')

type WithFailure = { readonly failure: Failure }
type Written = Extract<BatchEvent, { type: 'batch.written' }>

const EMPTY: RowRange = [0, 0]
const sizeOf = ([from, to]: RowRange): number => to - from
const first = ({ queue }: RowImportContext): RowRange => queue[0] ?? EMPTY

export const rowImportMachine = setup({
  types: {
    context: {} as RowImportContext,
    events: {} as RowImportEvent | BatchEvent,
    input: {} as RowImportInput,
  },
  actors: { sendBatch },
  delays: { retryDelay: ({ context }) => context.delay },
  guards: {
    isOver: ({ context }) => context.queue.length === 0,
    isRequested: ({ context }, { request }: { request: RowImportContext['request'] }) =>
      context.request === request,
    isWhole: ({ context }) => context.whole,
    isRepeatable: ({ context }) => context.repeatable,
    isHopeless: (_, params: { hopeless: boolean }) => params.hopeless,
    isPerhapsUnreadable: ({ context }, { forbidden }: { forbidden: boolean }) =>
      forbidden && context.returning,
    isSingle: ({ context }) => sizeOf(first(context)) <= 1,
    isRepeatedFailure: ({ context }) =>
      context.sameFailures >= IMPORT_SAME_FAILURES && context.written === 0 && !context.warned,
  },
  actions: {
    setRequest: assign((_, { request }: { request: RowImportContext['request'] }) => ({ request })),
    setFailure: assign((_, { failure }: WithFailure) => ({ failure })),
    clearFailure: assign(({ context }) => ({
      failure: undefined,
      attempt: 0,
      warned: context.warned || context.sameFailures >= IMPORT_SAME_FAILURES,
    })),
    countWritten: assign(({ context }, { written, skipped, unreturned }: Written) => ({
      written: context.written + written,
      skipped: context.skipped + skipped,
      unreturned: context.unreturned + unreturned,
      queue: context.queue.slice(1),
      failure: undefined,
      attempt: 0,
      sameFailures: 0,
    })),
    stopReturning: assign({ returning: false }),
    halve: assign(({ context }) => {
      const [[from, to] = EMPTY, ...rest] = context.queue
      const middle = (from + to) >>> 1
      return { queue: [[from, middle], [middle, to], ...rest] as readonly RowRange[], attempt: 0 }
    }),
    refuseRow: assign(({ context }, { failure }: WithFailure) => ({
      refused: [...context.refused, { row: first(context)[0], failure }],
      queue: context.queue.slice(1),
      attempt: 0,
      sameFailures:
        context.refused.at(-1)?.failure.message === failure.message ? context.sameFailures + 1 : 1,
      failure,
    })),
    skipBatch: assign(({ context }) => ({
      unknown: [...context.unknown, first(context)],
      queue: context.queue.slice(1),
      failure: undefined,
      attempt: 0,
    })),
    planRetry: assign(({ context }, { failure }: WithFailure) => {
      const { attempt, seed } = context
      const retryAfter = failure.retryAfter
      return { ...planRetry({ ...JOB_RETRY, attempt: attempt + 1, seed, retryAfter }), failure }
    }),
  },
}).createMachine({
  id: 'rowImport',
  context: ({ input }) => ({
    ...input,
    queue: input.batches,
    total: input.batches.reduce((sum, range) => sum + sizeOf(range), 0),
    written: 0,
    skipped: 0,
    unreturned: 0,
    refused: [],
    unknown: [],
    request: 'continue',
    attempt: 0,
    delay: 0,
    sameFailures: 0,
    warned: false,
    failure: undefined,
  }),
  initial: 'deciding',
  states: {
    deciding: {
      description: 'Between two batches: the user’s request comes first.',
      always: [
        { guard: 'isOver', target: 'done' },
        { guard: { type: 'isRequested', params: { request: 'cancel' } }, target: 'canceled' },
        { guard: { type: 'isRequested', params: { request: 'pause' } }, target: 'paused' },
        { guard: 'isRepeatedFailure', target: 'paused' },
        { target: 'sending' },
      ],
    },
    sending: {
      description: 'A batch is being sent; it is never aborted, because its outcome would be unknown.',
      initial: 'first',
      states: {
        first: {
          invoke: {
            id: 'sendBatch',
            src: 'sendBatch',
            input: ({ context }) => ({ range: first(context), returning: context.returning }),
          },
          on: { 'batch.refused': { guard: withEvent('isPerhapsUnreadable'), target: 'unreturned' } },
        },
        unreturned: {
          description: 'A user who may add rows, but not read them, is refused if the request asks for them.',
          invoke: {
            id: 'sendBatch',
            src: 'sendBatch',
            input: ({ context }) => ({ range: first(context), returning: false }),
          },
          on: {
            'batch.written': {
              target: '#rowImport.deciding',
              actions: [withEvent('countWritten'), 'stopReturning'],
            },
          },
        },
      },
      on: {
        'import.pause': { actions: { type: 'setRequest', params: { request: 'pause' } } },
        'import.cancel': { actions: { type: 'setRequest', params: { request: 'cancel' } } },
        'import.resume': { actions: { type: 'setRequest', params: { request: 'continue' } } },
        'batch.written': { target: 'deciding', actions: withEvent('countWritten') },
        'batch.refused': [
          { guard: 'isWhole', target: 'refused', actions: withEvent('setFailure') },
          {
            guard: withEvent('isHopeless'),
            target: 'paused',
            actions: withEvent('setFailure'),
          },
          { guard: 'isSingle', target: 'deciding', actions: withEvent('refuseRow') },
          { target: 'deciding', actions: 'halve' },
        ],
        'batch.delayed': { target: 'backingOff', actions: withEvent('planRetry') },
        'batch.lost': [
          {
            guard: 'isRepeatable',
            target: 'backingOff',
            actions: withEvent('planRetry'),
          },
          { target: 'unconfirmed', actions: withEvent('setFailure') },
        ],
        'port.broken': { target: 'paused', actions: withEvent('setFailure') },
      },
    },
    backingOff: {
      description: 'The same batch is retried after a delay.',
      always: [
        { guard: { type: 'isRequested', params: { request: 'cancel' } }, target: 'canceled' },
        { guard: { type: 'isRequested', params: { request: 'pause' } }, target: 'paused' },
      ],
      after: { retryDelay: 'deciding' },
      on: {
        'import.pause': 'paused',
        'import.resume': 'deciding',
        'import.cancel': 'canceled',
      },
    },
    unconfirmed: {
      description: 'Only the user can check whether the rows were written.',
      always: {
        guard: { type: 'isRequested', params: { request: 'cancel' } },
        target: 'canceled',
        actions: 'skipBatch',
      },
      on: {
        'import.retry': { target: 'deciding', actions: 'clearFailure' },
        'import.skip': { target: 'deciding', actions: 'skipBatch' },
        'import.cancel': { target: 'canceled', actions: 'skipBatch' },
      },
    },
    paused: {
      description: 'Until the user continues; a cancellation requested during the batch applies now.',
      always: { guard: { type: 'isRequested', params: { request: 'cancel' } }, target: 'canceled' },
      on: {
        'import.resume': {
          target: 'deciding',
          actions: [{ type: 'setRequest', params: { request: 'continue' } }, 'clearFailure'],
        },
        'import.cancel': 'canceled',
      },
    },
    refused: {
      description: 'All or nothing: no rows were written.',
      type: 'final',
    },
    canceled: { description: 'Rows already written are kept.', type: 'final' },
    done: { type: 'final' },
  },
})
