// A run of a SQL script: sent, ended by the backend, or canceled; and its outcome when the connection is lost.
import { assign, setup } from 'xstate'
import { planRetry } from '../backoff.ts'
import { isRetryable, type Failure } from '../failure.ts'
import { port } from '../port.ts'
import type { PortBroken } from '../ports.ts'
import { JOB_RETRY } from '../timings.ts'
import { withEvent } from '../with-event.ts'

export const SQL_MODES = ['run', 'rollBack', 'explain', 'explainAnalyze'] as const

/** Keeps what the script did, rolls it back, or shows plans. */
export type SqlMode = (typeof SQL_MODES)[number]

export const SQL_ENDS = ['done', 'failed', 'canceled', 'timedOut', 'tooLarge'] as const

/** How the backend ended the script. */
export type SqlEnd = (typeof SQL_ENDS)[number]

export interface SqlRunInput {
  readonly mode: SqlMode
  /** For the whole script, in milliseconds. */
  readonly limit: number
  readonly seed: number
}

export interface SqlRunContext extends SqlRunInput {
  readonly end: SqlEnd | undefined
  /** How many statements ran. */
  readonly statements: number
  /** Why the script was not run, or why its end is not known. */
  readonly failure: Failure | undefined
  /** Whether the user canceled it. */
  readonly isCanceled: boolean
  readonly attempt: number
  readonly delay: number
}

export type SqlRunEvent =
  | { readonly type: 'script.cancel' }
  /** Asks for the outcome at once. */
  | { readonly type: 'outcome.retry' }
  /** Stops asking. */
  | { readonly type: 'outcome.giveUp' }

type EndedEvent = { readonly type: 'script.ended'; readonly end: SqlEnd; readonly statements: number }
type Failed<Type extends string> = { readonly type: Type; readonly failure: Failure }

export type ScriptEvent = EndedEvent | Failed<'script.failed'> | PortBroken
export type OutcomeEvent = EndedEvent | Failed<'outcome.failed'> | PortBroken

/** The port: sends the script; its text and its results stay outside the machine. Aborting closes the connection. */
const runScript = port<ScriptEvent>('runScript')
/** The port: cancels the script if it still runs, and asks for its outcome. */
const settleScript = port<OutcomeEvent>('settleScript')

type WithFailure = { readonly failure: Failure }

export const sqlRunMachine = setup({
  types: {
    context: {} as SqlRunContext,
    events: {} as SqlRunEvent | ScriptEvent | OutcomeEvent,
    input: {} as SqlRunInput,
  },
  actors: { runScript, settleScript },
  delays: { retryDelay: ({ context }) => context.delay },
  guards: {
    /** A refused script did not run. */
    isUnanswered: (_, { failure }: WithFailure) => failure.status === undefined && isRetryable(failure),
    mayRetry: (_, { failure }: WithFailure) => isRetryable(failure),
  },
  actions: {
    setCanceled: assign({ isCanceled: true }),
    setEnd: assign((_, { end, statements }: EndedEvent) => ({ end, statements, failure: undefined })),
    setFailure: assign((_, { failure }: WithFailure) => ({ failure })),
    planRetry: assign(({ context: { attempt, seed } }, { failure }: WithFailure) => ({
      ...planRetry({ ...JOB_RETRY, attempt: attempt + 1, seed, retryAfter: failure.retryAfter }),
      failure,
    })),
  },
}).createMachine({
  id: 'sqlRun',
  context: ({ input }) => ({
    ...input,
    end: undefined,
    statements: 0,
    failure: undefined,
    isCanceled: false,
    attempt: 0,
    delay: 0,
  }),
  initial: 'running',
  states: {
    running: {
      description: 'The backend runs the script, or waits for its turn. It ends it at the time limit.',
      invoke: { id: 'runScript', src: 'runScript' },
      on: {
        'script.ended': { target: 'ended', actions: withEvent('setEnd') },
        'script.failed': [
          { guard: withEvent('isUnanswered'), target: 'settling', actions: withEvent('setFailure') },
          { target: 'refused', actions: withEvent('setFailure') },
        ],
        'port.broken': { target: 'refused', actions: withEvent('setFailure') },
        'script.cancel': { target: 'settling', actions: 'setCanceled' },
      },
    },
    settling: {
      description:
        'Canceled, or the connection was lost, which cancels, too: the backend is asked for the outcome.',
      invoke: { id: 'settleScript', src: 'settleScript' },
      on: {
        'script.ended': { target: 'ended', actions: withEvent('setEnd') },
        'outcome.failed': [
          { guard: withEvent('mayRetry'), target: 'backingOff', actions: withEvent('planRetry') },
          { target: 'lost', actions: withEvent('setFailure') },
        ],
        'port.broken': { target: 'lost', actions: withEvent('setFailure') },
        'outcome.giveUp': 'lost',
      },
    },
    backingOff: {
      description: 'The backend does not answer. On PGlite it does once the statement has ended.',
      after: { retryDelay: 'settling' },
      on: { 'outcome.retry': 'settling', 'outcome.giveUp': 'lost' },
    },
    refused: { description: 'The script was not run.', type: 'final' },
    lost: { description: 'The outcome of the script is not known.', type: 'final' },
    ended: { type: 'final' },
  },
})
