// The requests: spawns an actor for each call, tells all of them of the gate, and lets each go when it settled.
import { assign, enqueueActions, sendParent, sendTo, setup } from 'xstate'
import { draw } from './backoff.ts'
import type { RequestCommand, RequestDone } from './client-events.ts'
import type { Gate, GateEvent } from './gate.ts'
import { requestMachine, type RequestInfo, type RequestOutput, type RequestReport } from './request.ts'
import { without } from './table.ts'
import type { Timings } from './timings.ts'

/** What the requests tell the client. */
export type RequestsReport =
  | Extract<RequestReport, { type: 'token.rejected' }>
  | { readonly type: 'request.settled'; readonly output: RequestOutput }

export interface RequestsContext {
  readonly timings: Timings
  readonly seed: number
  readonly gate: Gate
  /** Requests that are not settled, by id. */
  readonly requests: Readonly<Record<string, 'waiting' | 'sending'>>
}

export const requestsMachine = setup({
  types: {
    context: {} as RequestsContext,
    input: {} as { timings: Timings; seed: number },
    events: {} as RequestCommand | RequestReport | RequestDone | GateEvent,
  },
  actors: { request: requestMachine },
  guards: {
    isUnsettled: ({ context }, params: { id: string }) => Object.hasOwn(context.requests, params.id),
  },
  actions: {
    keepGate: assign((_, params: { gate: Gate }) => ({ gate: params.gate })),
    tellGate: enqueueActions(({ context, enqueue }, event: GateEvent) => {
      for (const id of Object.keys(context.requests)) enqueue.sendTo(`request.${id}`, event)
    }),
    start: assign(({ context, spawn }, { info }: { info: RequestInfo }) => {
      const { value, seed } = draw(context.seed)
      const { timings, gate } = context
      spawn('request', { id: `request.${info.id}`, input: { info, timings, gate, seed: value * 2 ** 32 } })
      return { seed, requests: { ...context.requests, [info.id]: 'waiting' as const } }
    }),
    mark: assign(({ context }, params: { id: string; as: 'waiting' | 'sending' }) => ({
      requests: { ...context.requests, [params.id]: params.as },
    })),
    abort: sendTo((_, params: { id: string }) => `request.${params.id}`, { type: 'request.abort' }),
    drop: enqueueActions(({ context, enqueue }, { output }: { output: RequestOutput }) => {
      enqueue.stopChild(`request.${output.id}`)
      enqueue.assign({ requests: without(context.requests, output.id) })
    }),
    tell: sendParent((_, report: RequestsReport) => report),
  },
}).createMachine({
  id: 'requests',
  context: ({ input }) => ({ ...input, gate: { kind: 'booting' }, requests: {} }),
  on: {
    'gate.changed': {
      actions: [
        { type: 'keepGate', params: ({ event }) => event },
        { type: 'tellGate', params: ({ event }) => event },
      ],
    },
    'request.start': { actions: { type: 'start', params: ({ event }) => event } },
    'request.abort': {
      guard: { type: 'isUnsettled', params: ({ event }) => event },
      actions: { type: 'abort', params: ({ event }) => event },
    },
    'request.waiting': {
      actions: { type: 'mark', params: ({ event }) => ({ id: event.id, as: 'waiting' }) },
    },
    'request.sending': {
      actions: { type: 'mark', params: ({ event }) => ({ id: event.id, as: 'sending' }) },
    },
    'token.rejected': { actions: { type: 'tell', params: ({ event }) => event } },
    'xstate.done.actor.request.*': {
      actions: [
        { type: 'drop', params: ({ event }) => event },
        { type: 'tell', params: ({ event }) => ({ type: 'request.settled', output: event.output }) },
      ],
    },
  },
})
