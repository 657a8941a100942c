// The check of a shown trace against invariants and assertions: as it grows in memory, or in a job that reads all of
// it, which waits for the user if it takes long.
import { assign, setup } from 'xstate'
import { port } from '../port.ts'

export interface TraceCheckInput {
  /** `none`: there is nothing to check. `memory`: its steps are in memory. `file`: a job has to read it. */
  readonly from: 'none' | 'memory' | 'file'
}

/** How far the job is: a share from 0 to 1, and what it is doing. */
export interface CheckProgress {
  readonly share?: number
  readonly words?: string
}

interface CheckFailed {
  readonly type: 'check.failed'
  readonly message: string
}

/** An event of `watchTrace`. */
export type WatchEvent = { readonly type: 'trace.watched' } | CheckFailed

/** An event of `readTrace`. */
export type ReadEvent =
  | {
      readonly type: 'trace.read'
      /** Why the user must start the job; undefined if it starts at once. */
      readonly reason: string | undefined
    }
  | CheckFailed

/** An event of `runCheck`. */
export type CheckJobEvent =
  | { readonly type: 'job.progressed'; readonly progress: CheckProgress }
  | { readonly type: 'job.finished' }
  | CheckFailed

export type TraceCheckEvent =
  | WatchEvent
  | ReadEvent
  | CheckJobEvent
  /** The user starts the job. */
  | { readonly type: 'check.requested' }
  | { readonly type: 'check.canceled' }

export interface TraceCheckContext extends TraceCheckInput {
  readonly reason: string
  readonly progress: CheckProgress
  readonly message: string
}

const watchTrace = port<WatchEvent>('watchTrace')
const readTrace = port<ReadEvent>('readTrace')
const runCheck = port<CheckJobEvent>('runCheck')

export const traceCheckMachine = setup({
  types: {
    context: {} as TraceCheckContext,
    events: {} as TraceCheckEvent,
    input: {} as TraceCheckInput,
  },
  actors: { watchTrace, readTrace, runCheck },
  guards: {
    isEmpty: ({ context }) => context.from === 'none',
    isInMemory: ({ context }) => context.from === 'memory',
    mustAsk: (_, { reason }: { reason: string | undefined }) => reason !== undefined,
  },
  actions: {
    setReason: assign((_, { reason = '' }: { reason: string | undefined }) => ({ reason })),
    setProgress: assign((_, { progress }: { progress: CheckProgress }) => ({ progress })),
    setMessage: assign((_, { message }: { message: string }) => ({ message })),
  },
}).createMachine({
  id: 'traceCheck',
  context: ({ input }) => ({ ...input, reason: '', progress: {}, message: '' }),
  initial: 'deciding',
  on: {
    'check.failed': {
      target: '.failed',
      actions: { type: 'setMessage', params: ({ event: { message } }) => ({ message }) },
    },
  },
  states: {
    deciding: {
      always: [
        { guard: 'isEmpty', target: 'done' },
        { guard: 'isInMemory', target: 'growing' },
        { target: 'reading' },
      ],
    },
    growing: {
      description: 'Checks each event when it is recorded.',
      invoke: { id: 'watchTrace', src: 'watchTrace' },
      initial: 'starting',
      states: {
        starting: { on: { 'trace.watched': 'watching' } },
        watching: {},
      },
    },
    reading: {
      description: 'Until the file is read, the number of its events is unknown.',
      invoke: { id: 'readTrace', src: 'readTrace' },
      on: {
        'trace.read': [
          {
            guard: { type: 'mustAsk', params: ({ event: { reason } }) => ({ reason }) },
            target: 'asking',
            actions: { type: 'setReason', params: ({ event: { reason } }) => ({ reason }) },
          },
          { target: 'checking' },
        ],
      },
    },
    asking: {
      description: 'The job takes long, or replays the recording: the user starts it.',
      on: { 'check.requested': 'checking' },
    },
    checking: {
      entry: { type: 'setProgress', params: { progress: {} } },
      invoke: { id: 'runCheck', src: 'runCheck' },
      on: {
        'job.progressed': {
          actions: { type: 'setProgress', params: ({ event: { progress } }) => ({ progress }) },
        },
        'job.finished': 'done',
        'check.canceled': {
          target: 'asking',
          actions: { type: 'setReason', params: { reason: 'Canceled.' } },
        },
      },
    },
    done: { type: 'final' },
    failed: { type: 'final' },
  },
})
