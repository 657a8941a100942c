// A function call: sent, answered, read until it ends or breaks off, and then measured.
import { assign, setup } from 'xstate'
import type { Failure } from './failure.ts'
import { eventParams } from './event-params.ts'
import { port } from './port.ts'
import type { PortBroken } from './ports.ts'

export interface FunctionCallInput {
  readonly method: string
  /** Name of the function, without the rest of the URL. */
  readonly name: string
  /** The identity of the call. */
  readonly as: 'user' | 'anybody' | 'otherAccount'
}

/** What the browser measured for the request, in milliseconds since it was sent. */
export interface LineTimes {
  readonly waiting: number
  readonly download: number
  /** Bytes transferred, compressed or not; 0 if the host does not expose it. */
  readonly transferred: number
  readonly protocol: string
}

export interface FunctionCallContext extends FunctionCallInput {
  /** The id of the client's request, as in its recording. */
  readonly request: string | undefined
  readonly status: number | undefined
  /** How the response is parsed: `json`, `events`, … */
  readonly kind: string | undefined
  /** Bytes of the response body received so far. */
  readonly size: number
  /** Milliseconds from sending to the end, successful or not. */
  readonly duration: number
  readonly failure: Failure | undefined
  readonly line: LineTimes | undefined
}

/** From the user: stops the call. */
export interface FunctionCallEvent {
  readonly type: 'call.stop'
  readonly duration: number
}

export type CallEvent =
  | { readonly type: 'call.requested'; readonly request: string }
  | { readonly type: 'call.answered'; readonly status: number; readonly kind: string }
  | { readonly type: 'answer.moved'; readonly size: number }
  | { readonly type: 'answer.ended'; readonly size: number; readonly duration: number }
  | {
      readonly type: 'call.failed'
      readonly failure: Failure
      readonly size: number
      readonly duration: number
    }
  | PortBroken

export interface LineEvent {
  readonly type: 'line.measured'
  readonly line: LineTimes
}

/** The port: sends the call and reads its response, which stays outside the machine. */
export const callFunction = port<CallEvent>('callFunction')
/** The port: reads the browser's measurements. */
export const watchLine = port<LineEvent>('watchLine')

/** The browser reports its measurements shortly after the end, or not at all. */
const MEASURING = 2_000

type Of<Type extends CallEvent['type']> = Extract<CallEvent, { readonly type: Type }>

export const functionCallMachine = setup({
  types: {
    context: {} as FunctionCallContext,
    events: {} as FunctionCallEvent | CallEvent | LineEvent,
    input: {} as FunctionCallInput,
  },
  actors: { callFunction, watchLine },
  delays: { measuring: MEASURING },
  guards: { isMeasured: ({ context }) => context.line !== undefined },
  actions: {
    keepRequest: assign((_, { request }: Of<'call.requested'>) => ({ request })),
    keepHead: assign((_, { status, kind }: Of<'call.answered'>) => ({ status, kind })),
    keepSize: assign((_, { size }: Of<'answer.moved'>) => ({ size })),
    keepEnd: assign((_, { size, duration }: Of<'answer.ended'>) => ({ size, duration })),
    keepStop: assign((_, { duration }: FunctionCallEvent) => ({ duration })),
    keepFailure: assign((_, { failure, size, duration }: Of<'call.failed'>) => ({ failure, size, duration })),
    keepBreak: assign((_, { failure }: PortBroken) => ({ failure })),
    keepLine: assign((_, { line }: LineEvent) => ({ line })),
  },
}).createMachine({
  id: 'functionCall',
  context: ({ input }) => ({
    ...input,
    request: undefined,
    status: undefined,
    kind: undefined,
    size: 0,
    duration: 0,
    failure: undefined,
    line: undefined,
  }),
  initial: 'watched',
  states: {
    watched: {
      description: 'Reads the browser’s network timings.',
      invoke: { id: 'watchLine', src: 'watchLine' },
      on: { 'line.measured': { actions: { type: 'keepLine', params: eventParams } } },
      initial: 'calling',
      states: {
        calling: {
          invoke: { id: 'callFunction', src: 'callFunction' },
          on: {
            'call.requested': { actions: { type: 'keepRequest', params: eventParams } },
            'call.failed': {
              target: '#functionCall.failed',
              actions: { type: 'keepFailure', params: eventParams },
            },
            'port.broken': {
              target: '#functionCall.failed',
              actions: { type: 'keepBreak', params: eventParams },
            },
            'call.stop': {
              target: '#functionCall.stopped',
              actions: { type: 'keepStop', params: eventParams },
            },
          },
          initial: 'sending',
          states: {
            sending: {
              description: 'No response yet: the request waits, is sent, or is retried.',
              on: {
                'call.answered': { target: 'receiving', actions: { type: 'keepHead', params: eventParams } },
              },
            },
            receiving: {
              description: 'Status and headers have arrived; the body follows, whole or as a stream.',
              on: {
                'answer.moved': { actions: { type: 'keepSize', params: eventParams } },
                'answer.ended': {
                  target: '#functionCall.watched.measuring',
                  actions: { type: 'keepEnd', params: eventParams },
                },
              },
            },
          },
        },
        measuring: {
          description: 'The response is complete; only the browser’s timings may follow.',
          always: { guard: 'isMeasured', target: '#functionCall.done' },
          after: { measuring: '#functionCall.done' },
        },
      },
    },
    failed: { description: 'The response broke off or never arrived.', type: 'final' },
    stopped: { description: 'The user stopped it; the partial response is kept.', type: 'final' },
    done: { type: 'final' },
  },
})
