// A job that the user starts in the console, such as a replay in a worker. Its result is not part of the machine.
import { assign, type NonReducibleUnknown, sendTo, setup } from 'xstate'
import { port } from '../port.ts'
import { withEvent } from '../with-event.ts'
import type { CheckProgress } from './trace-check.ts'

/** How far it is; `step` is the number of the step that is done. */
export interface ConsoleJobProgress extends CheckProgress {
  readonly step?: number
}

/** An event of `runJob`. */
export type RunJobEvent =
  | { readonly type: 'job.progressed'; readonly progress: ConsoleJobProgress }
  | { readonly type: 'job.finished' }
  | { readonly type: 'job.failed'; readonly message: string }

export type ConsoleJobEvent =
  | RunJobEvent
  /** Replaces one that runs. */
  | { readonly type: 'job.requested' }
  /** Ends it with the result so far. */
  | { readonly type: 'job.stop' }
  /** Its end is dismissed, too. */
  | { readonly type: 'job.canceled' }

/** Sent to the port. */
export interface StopJob {
  readonly type: 'stop'
}

export interface ConsoleJobContext {
  readonly progress: ConsoleJobProgress
  readonly message: string
}

const runJob = port<RunJobEvent, NonReducibleUnknown, StopJob>('runJob')

export const consoleJobMachine = setup({
  types: { context: {} as ConsoleJobContext, events: {} as ConsoleJobEvent },
  actors: { runJob },
  actions: {
    clearProgress: assign({ progress: {} }),
    setProgress: assign((_, { progress }: { readonly progress: ConsoleJobProgress }) => ({ progress })),
    setMessage: assign((_, { message }: { readonly message: string }) => ({ message })),
    tellStop: sendTo('runJob', { type: 'stop' } satisfies StopJob),
  },
}).createMachine({
  id: 'consoleJob',
  context: { progress: {}, message: '' },
  initial: 'idle',
  on: { 'job.requested': '.running' },
  states: {
    idle: {},
    running: {
      entry: 'clearProgress',
      invoke: { id: 'runJob', src: 'runJob' },
      on: {
        'job.requested': { target: 'running', reenter: true },
        'job.progressed': { actions: withEvent('setProgress') },
        'job.finished': 'done',
        'job.failed': { target: 'failed', actions: withEvent('setMessage') },
        'job.canceled': 'canceled',
      },
      initial: 'working',
      states: {
        working: { on: { 'job.stop': { target: 'stopping', actions: 'tellStop' } } },
        stopping: { description: 'It ends with the result so far.' },
      },
    },
    done: { on: { 'job.canceled': 'idle' } },
    failed: { on: { 'job.canceled': 'idle' } },
    canceled: {},
  },
})
