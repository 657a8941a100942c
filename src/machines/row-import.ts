// An import of rows: batches one after the other, halved where they are refused until the bad rows are known.
import { assign, setup } from 'xstate'
import { backoff } from './backoff.ts'
import type { Failure } from './failure.ts'
import { given } from './given.ts'
import { port } from './port.ts'
import type { PortBroken } from './ports.ts'

/** Rows by their numbers: from, and up to but without, to. */
export type RowRange = readonly [from: number, to: number]

export interface RowImportInput {
  /** Batches in their order. */
  readonly batches: readonly RowRange[]
  /** Sending rows twice does no harm: those that are there are passed over or written the same. */
  readonly repeatable: boolean
  /** One batch that goes in whole or not at all. */
  readonly whole: boolean
  readonly seed: number
}

export interface RefusedRow {
  readonly row: number
  readonly failure: Failure
}

export interface RowImportContext extends RowImportInput {
  /** What is still to be sent; the first is under way. */
  readonly queue: readonly RowRange[]
  readonly total: number
  /** Rows that are in the table now. */
  readonly written: number
  /** Rows that were there before, and passed over. */
  readonly skipped: number
  readonly refused: readonly RefusedRow[]
  /** Rows of which nobody knows whether they are in the table. */
  readonly unknown: readonly RowRange[]
  /** What the user wants as soon as the batch under way is answered. */
  readonly wish: 'go' | 'pause' | 'cancel'
  readonly attempt: number
  readonly delay: number
  /** Single rows that were refused one after the other for one reason. */
  readonly alike: number
  /** The user knows of that, and went on. */
  readonly warned: boolean
  readonly failure: Failure | undefined
}

export type RowImportEvent =
  | { readonly type: 'import.pause' }
  | { readonly type: 'import.resume' }
  | { readonly type: 'import.cancel' }
  /** Of rows that may be in the table: send them again, or leave them. */
  | { readonly type: 'import.again' }
  | { readonly type: 'import.leave' }

export type BatchEvent =
  | { readonly type: 'batch.written'; readonly written: number; readonly skipped: number }
  /** The server said no, and wrote none of them. */
  | { readonly type: 'batch.refused'; readonly failure: Failure; readonly hopeless: boolean }
  /** None of them was written, and the same may be sent later. */
  | { readonly type: 'batch.delayed'; readonly failure: Failure }
  /** No answer came: they may be in the table. */
  | { readonly type: 'batch.lost'; readonly failure: Failure }
  | PortBroken

/** The port: sends the rows of a range. */
export const sendBatch = port<BatchEvent, { readonly range: RowRange }>('sendBatch')

type Told = { readonly failure: Failure }
type Written = Extract<BatchEvent, { type: 'batch.written' }>

/** From one second to half a minute. */
const [PAUSE_MIN, PAUSE_MAX] = [1_000, 30_000]
/** So many single rows in a row with one and the same fault: the rest will have it too. */
const ALIKE = 10

/** What the user wanted while a batch was under way is done once it is answered, however that went. */
const endsAsWanted = { guard: { type: 'wants', params: { wish: 'cancel' } }, target: 'cancelled' } as const

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
  delays: { pause: ({ context }) => context.delay },
  guards: {
    isOver: ({ context }) => context.queue.length === 0,
    wants: ({ context }, params: { wish: RowImportContext['wish'] }) => context.wish === params.wish,
    isWhole: ({ context }) => context.whole,
    isRepeatable: ({ context }) => context.repeatable,
    isHopeless: (_, params: { hopeless: boolean }) => params.hopeless,
    isSingle: ({ context }) => sizeOf(first(context)) <= 1,
    isAlike: ({ context }) => context.alike >= ALIKE && context.written === 0 && !context.warned,
  },
  actions: {
    wish: assign((_, params: { wish: RowImportContext['wish'] }) => ({ wish: params.wish })),
    keepFailure: assign((_, { failure }: Told) => ({ failure })),
    forgetFailure: assign(({ context }) => ({
      failure: undefined,
      attempt: 0,
      warned: context.warned || context.alike >= ALIKE,
    })),
    countWritten: assign(({ context }, { written, skipped }: Written) => ({
      written: context.written + written,
      skipped: context.skipped + skipped,
      queue: context.queue.slice(1),
      failure: undefined,
      attempt: 0,
      alike: 0,
    })),
    halve: assign(({ context }) => {
      const [[from, to] = EMPTY, ...rest] = context.queue
      const middle = (from + to) >>> 1
      return { queue: [[from, middle], [middle, to], ...rest] as readonly RowRange[], attempt: 0 }
    }),
    refuseRow: assign(({ context }, { failure }: Told) => ({
      refused: [...context.refused, { row: first(context)[0], failure }],
      queue: context.queue.slice(1),
      attempt: 0,
      alike: context.refused.at(-1)?.failure.message === failure.message ? context.alike + 1 : 1,
      failure,
    })),
    leave: assign(({ context }) => ({
      unknown: [...context.unknown, first(context)],
      queue: context.queue.slice(1),
      failure: undefined,
      attempt: 0,
    })),
    planRetry: assign(({ context }, { failure }: Told) => {
      const attempt = context.attempt + 1
      const { delay, seed } = backoff(attempt, context.seed, PAUSE_MIN, PAUSE_MAX)
      return { attempt, seed, failure, delay: Math.max(delay, (failure.retryAfter ?? 0) * 1000) }
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
    refused: [],
    unknown: [],
    wish: 'go',
    attempt: 0,
    delay: 0,
    alike: 0,
    warned: false,
    failure: undefined,
  }),
  initial: 'choosing',
  states: {
    choosing: {
      description: 'Between two batches: what the user wants comes first.',
      always: [
        { guard: 'isOver', target: 'done' },
        endsAsWanted,
        { guard: { type: 'wants', params: { wish: 'pause' } }, target: 'paused' },
        { guard: 'isAlike', target: 'paused' },
        { target: 'sending' },
      ],
    },
    sending: {
      description:
        'One batch is under way; it is never taken back in its midst, for it would be of unknown fate.',
      invoke: {
        id: 'sendBatch',
        src: 'sendBatch',
        input: ({ context }) => ({ range: first(context) }),
      },
      on: {
        'import.pause': { actions: { type: 'wish', params: { wish: 'pause' } } },
        'import.cancel': { actions: { type: 'wish', params: { wish: 'cancel' } } },
        'import.resume': { actions: { type: 'wish', params: { wish: 'go' } } },
        'batch.written': { target: 'choosing', actions: { type: 'countWritten', params: given } },
        'batch.refused': [
          { guard: 'isWhole', target: 'refused', actions: { type: 'keepFailure', params: given } },
          {
            guard: { type: 'isHopeless', params: given },
            target: 'paused',
            actions: { type: 'keepFailure', params: given },
          },
          { guard: 'isSingle', target: 'choosing', actions: { type: 'refuseRow', params: given } },
          { target: 'choosing', actions: 'halve' },
        ],
        'batch.delayed': { target: 'waiting', actions: { type: 'planRetry', params: given } },
        'batch.lost': [
          {
            guard: 'isRepeatable',
            target: 'waiting',
            actions: { type: 'planRetry', params: given },
          },
          { target: 'doubtful', actions: { type: 'keepFailure', params: given } },
        ],
        'port.broken': { target: 'paused', actions: { type: 'keepFailure', params: given } },
      },
    },
    waiting: {
      description: 'The same batch goes out again after a pause.',
      always: [endsAsWanted, { guard: { type: 'wants', params: { wish: 'pause' } }, target: 'paused' }],
      after: { pause: 'choosing' },
      on: {
        'import.pause': 'paused',
        'import.resume': 'choosing',
        'import.cancel': 'cancelled',
      },
    },
    doubtful: {
      description: 'Only the user can look whether the rows are there.',
      always: { ...endsAsWanted, actions: 'leave' },
      on: {
        'import.again': { target: 'choosing', actions: 'forgetFailure' },
        'import.leave': { target: 'choosing', actions: 'leave' },
        'import.cancel': { target: 'cancelled', actions: 'leave' },
      },
    },
    paused: {
      always: endsAsWanted,
      on: {
        'import.resume': {
          target: 'choosing',
          actions: [{ type: 'wish', params: { wish: 'go' } }, 'forgetFailure'],
        },
        'import.cancel': 'cancelled',
      },
    },
    refused: {
      description: 'All or nothing: nothing was written.',
      type: 'final',
    },
    cancelled: { description: 'What was written stays.', type: 'final' },
    done: { type: 'final' },
  },
})
