// A row export: reads page after page until all rows are there, and resumes after interruptions.
import { assign, setup } from 'xstate'
import { planRetry } from '../backoff.ts'
import { isRetryable, type Failure } from '../failure.ts'
import { withEvent } from '../with-event.ts'
import { port } from '../port.ts'
import type { PortBroken } from '../ports.ts'
import { JOB_RETRY } from '../timings.ts'

export interface RowExportInput {
  /** Expected number of rows; undefined while unknown. */
  readonly expected: number | undefined
  readonly seed: number
}

export interface RowExportContext extends RowExportInput {
  /** Number of rows by the last count; undefined: the backend did not count them. */
  readonly total: number | undefined
  /** Rows read so far. */
  readonly read: number
  readonly attempt: number
  readonly delay: number
  readonly failure: Failure | undefined
}

export type RowExportEvent =
  { readonly type: 'export.pause' } | { readonly type: 'export.resume' } | { readonly type: 'export.cancel' }

export type PageEvent =
  | {
      readonly type: 'page.read'
      readonly rows: number
      readonly isLast: boolean
      /** Absent while the backend does not count the rows. */
      readonly total?: number
    }
  | {
      readonly type: 'page.failed'
      readonly failure: Failure
      /** Number of rows, if the backend counted them, but did not return all. */
      readonly total?: number
    }
  | PortBroken

/** The port: reads the page after the rows read so far. */
const readPage = port<PageEvent, { readonly from: number }>('readPage')

type WithFailure = { readonly failure: Failure; readonly total?: number }
type Page = Extract<PageEvent, { type: 'page.read' }>

export const rowExportMachine = setup({
  types: {
    context: {} as RowExportContext,
    events: {} as RowExportEvent | PageEvent,
    input: {} as RowExportInput,
  },
  actors: { readPage },
  delays: { retryDelay: ({ context }) => context.delay },
  guards: {
    isLast: (_, params: { isLast: boolean }) => params.isLast,
    isRetryable: (_, { failure }: WithFailure) => isRetryable(failure),
  },
  actions: {
    count: assign(({ context }, { rows, total }: Page) => ({
      read: context.read + rows,
      total,
      failure: undefined,
      attempt: 0,
    })),
    setFailure: assign(({ context }, { failure, total = context.total }: WithFailure) => ({
      failure,
      total,
    })),
    planRetry: assign(({ context }, { failure }: WithFailure) => {
      const { attempt, seed } = context
      const retryAfter = failure.retryAfter
      return { ...planRetry({ ...JOB_RETRY, attempt: attempt + 1, seed, retryAfter }), failure }
    }),
  },
}).createMachine({
  id: 'rowExport',
  context: ({ input }) => ({ ...input, total: undefined, read: 0, attempt: 0, delay: 0, failure: undefined }),
  initial: 'reading',
  on: { 'export.cancel': '.canceled' },
  states: {
    reading: {
      invoke: { id: 'readPage', src: 'readPage', input: ({ context }) => ({ from: context.read }) },
      on: {
        'export.pause': 'paused',
        'page.read': [
          {
            guard: withEvent('isLast'),
            target: 'done',
            actions: withEvent('count'),
          },
          { target: 'reading', reenter: true, actions: withEvent('count') },
        ],
        'page.failed': [
          {
            guard: withEvent('isRetryable'),
            target: 'backingOff',
            actions: withEvent('planRetry'),
          },
          { target: 'failed', actions: withEvent('setFailure') },
        ],
        'port.broken': { target: 'failed', actions: withEvent('setFailure') },
      },
    },
    backingOff: {
      description: 'The same page is retried after a delay.',
      after: { retryDelay: 'reading' },
      on: { 'export.resume': 'reading', 'export.pause': 'paused' },
    },
    paused: { on: { 'export.resume': 'reading' } },
    failed: {
      description: 'The rows read so far are kept: the export can be resumed, or saved partially.',
      on: { 'export.resume': 'reading' },
    },
    canceled: { type: 'final' },
    done: { type: 'final' },
  },
})
