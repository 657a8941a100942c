// A function call: sent, answered, read until it ends or breaks off, and then measured.
import { assign, setup } from 'xstate'
import type { Failure } from '../failure.ts'
import { withEvent } from '../with-event.ts'
import { port } from '../port.ts'
import type { PortBroken } from '../ports.ts'
import { NETWORK_TIMINGS_TIMEOUT } from '../timings.ts'

export interface FunctionCallInput {
  readonly method: string
  /** Name of the function, without the rest of the URL. */
  readonly name: string
  /** The identity of the call. */
  readonly as: 'user' | 'anybody' | 'otherAccount'
}

/** What the browser measured for the request, in milliseconds since it was sent. */
export interface NetworkTimings {
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
  readonly timings: NetworkTimings | undefined
}

/** From the user: cancels the call. */
export interface FunctionCallEvent {
  readonly type: 'call.cancel'
  readonly duration: number
}

export type CallEvent =
  | { readonly type: 'call.requested'; readonly request: string }
  | { readonly type: 'response.started'; readonly status: number; readonly kind: string }
  | { readonly type: 'response.progressed'; readonly size: number }
  | { readonly type: 'response.ended'; readonly size: number; readonly duration: number }
  | {
      readonly type: 'call.failed'
      readonly failure: Failure
      readonly size: number
      readonly duration: number
    }
  | PortBroken

export interface NetworkEvent {
  readonly type: 'network.measured'
  readonly timings: NetworkTimings
}

/** The port: sends the call and reads its response, which stays outside the machine. */
const callFunction = port<CallEvent>('callFunction')
/** The port: reads the browser's measurements. */
const measureNetwork = port<NetworkEvent>('measureNetwork')

type Of<Type extends CallEvent['type']> = Extract<CallEvent, { readonly type: Type }>

export const functionCallMachine = setup({
  types: {
    context: {} as FunctionCallContext,
    events: {} as FunctionCallEvent | CallEvent | NetworkEvent,
    input: {} as FunctionCallInput,
  },
  actors: { callFunction, measureNetwork },
  delays: { timingsTimeout: NETWORK_TIMINGS_TIMEOUT },
  guards: { isMeasured: ({ context }) => context.timings !== undefined },
  actions: {
    setRequest: assign((_, { request }: Of<'call.requested'>) => ({ request })),
    setHead: assign((_, { status, kind }: Of<'response.started'>) => ({ status, kind })),
    setSize: assign((_, { size }: Of<'response.progressed'>) => ({ size })),
    setEnd: assign((_, { size, duration }: Of<'response.ended'>) => ({ size, duration })),
    setDuration: assign((_, { duration }: FunctionCallEvent) => ({ duration })),
    setFailure: assign((_, { failure, size, duration }: Of<'call.failed'>) => ({ failure, size, duration })),
    setPortFailure: assign((_, { failure }: PortBroken) => ({ failure })),
    setTimings: assign((_, { timings }: NetworkEvent) => ({ timings })),
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
    timings: undefined,
  }),
  initial: 'running',
  states: {
    running: {
      description: 'Reads the browser’s network timings.',
      invoke: { id: 'measureNetwork', src: 'measureNetwork' },
      on: { 'network.measured': { actions: withEvent('setTimings') } },
      initial: 'calling',
      states: {
        calling: {
          invoke: { id: 'callFunction', src: 'callFunction' },
          on: {
            'call.requested': { actions: withEvent('setRequest') },
            'call.failed': {
              target: '#functionCall.failed',
              actions: withEvent('setFailure'),
            },
            'port.broken': {
              target: '#functionCall.failed',
              actions: withEvent('setPortFailure'),
            },
            'call.cancel': {
              target: '#functionCall.canceled',
              actions: withEvent('setDuration'),
            },
          },
          initial: 'sending',
          states: {
            sending: {
              description: 'No response yet: the request waits, is sent, or is retried.',
              on: {
                'response.started': {
                  target: 'receiving',
                  actions: withEvent('setHead'),
                },
              },
            },
            receiving: {
              description: 'Status and headers have arrived; the body follows, whole or as a stream.',
              on: {
                'response.progressed': { actions: withEvent('setSize') },
                'response.ended': {
                  target: '#functionCall.running.measuring',
                  actions: withEvent('setEnd'),
                },
              },
            },
          },
        },
        measuring: {
          description: 'The response is complete; only the browser’s timings may follow.',
          always: { guard: 'isMeasured', target: '#functionCall.done' },
          after: { timingsTimeout: '#functionCall.done' },
        },
      },
    },
    failed: { description: 'The response broke off or never arrived.', type: 'final' },
    canceled: { description: 'The user canceled it; the partial response is kept.', type: 'final' },
    done: { type: 'final' },
  },
})
