// A call of a function: sent, answered, read to its end or to where it broke off, and then measured.
import { assign, setup } from 'xstate'
import type { Failure } from './failure.ts'
import { given } from './given.ts'
import { port } from './port.ts'
import type { PortBroken } from './ports.ts'

export interface FunctionCallInput {
  readonly method: string
  /** Name of the function, without what else stands in the address. */
  readonly name: string
  /** As whom it is called. */
  readonly as: 'user' | 'anybody' | 'otherAccount'
}

/** What the browser measured on the line, in milliseconds since the request was handed to it. */
export interface LineTimes {
  readonly waiting: number
  readonly download: number
  /** Bytes as they came over the line, compressed or not; 0 where the host does not let us know. */
  readonly transferred: number
  readonly protocol: string
}

export interface FunctionCallContext extends FunctionCallInput {
  /** The client's request, by which its recording knows it. */
  readonly request: string | undefined
  readonly status: number | undefined
  /** What the answer is read as: `json`, `events`, … */
  readonly kind: string | undefined
  /** Bytes of the answer's body that have come. */
  readonly size: number
  /** Milliseconds from sending to the end, however it ended. */
  readonly duration: number
  readonly failure: Failure | undefined
  readonly line: LineTimes | undefined
}

/** From the user: it ends where it is. */
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

/** The port: sends the call and reads its answer, which stays outside. */
export const callFunction = port<CallEvent>('callFunction')
/** The port: hears from the browser what it measured. */
export const watchLine = port<LineEvent>('watchLine')

/** The browser tells what it measured a moment after the end, or not at all. */
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
      description: 'The browser is asked for what it measures on the line.',
      invoke: { id: 'watchLine', src: 'watchLine' },
      on: { 'line.measured': { actions: { type: 'keepLine', params: given } } },
      initial: 'calling',
      states: {
        calling: {
          invoke: { id: 'callFunction', src: 'callFunction' },
          on: {
            'call.requested': { actions: { type: 'keepRequest', params: given } },
            'call.failed': {
              target: '#functionCall.failed',
              actions: { type: 'keepFailure', params: given },
            },
            'port.broken': { target: '#functionCall.failed', actions: { type: 'keepBreak', params: given } },
            'call.stop': { target: '#functionCall.stopped', actions: { type: 'keepStop', params: given } },
          },
          initial: 'sending',
          states: {
            sending: {
              description: 'Nothing has come yet; the request waits, is sent, or is tried again.',
              on: {
                'call.answered': { target: 'receiving', actions: { type: 'keepHead', params: given } },
              },
            },
            receiving: {
              description: 'Status and headers are there; the body comes, at once or as a stream.',
              on: {
                'answer.moved': { actions: { type: 'keepSize', params: given } },
                'answer.ended': {
                  target: '#functionCall.watched.measuring',
                  actions: { type: 'keepEnd', params: given },
                },
              },
            },
          },
        },
        measuring: {
          description: 'All has come; only the browser’s own times may follow.',
          always: { guard: 'isMeasured', target: '#functionCall.done' },
          after: { measuring: '#functionCall.done' },
        },
      },
    },
    failed: { description: 'It broke off, or was never answered.', type: 'final' },
    stopped: { description: 'Its user ended it; what had come stays.', type: 'final' },
    done: { type: 'final' },
  },
})
