// The requests: spawns an actor for each call, limits how many run at once, and stops each once it has
// settled.
import { assign, enqueueActions, sendParent, setup } from 'xstate'
import { draw } from '../backoff.ts'
import type { RequestCommand } from '../client.ts'
import { blockerOf, tokenOf, type AuthGate } from '../session/gate.ts'
import { withEvent } from '../with-event.ts'
import type { AbortReason } from '../failure.ts'
import {
  type PhaseChange,
  type Priority,
  type RequestInfo,
  type RequestOutput,
  type RequestPhase,
  type RequestReport,
  type RequestEvent,
  requestMachine,
} from './request.ts'
import { withoutKey } from '../table.ts'
import type { Timings } from '../timings.ts'

/** Events that the requests send to the client. */
export type RequestsReport =
  | Extract<
      RequestReport,
      { type: 'token.rejected' | 'key.refused' | 'key.accepted' | 'request.receiving' | 'request.settled' }
    >
  /** A request waits for a live token. */
  | { readonly type: 'token.needed' }

/** A request that has not settled. */
export interface RequestUse {
  /** `slow` is a part of `sending` that holds no slot. */
  readonly phase: RequestPhase | 'slow'
  readonly priority: Priority
  readonly supersede?: string
}

export interface RequestsContext {
  readonly timings: Timings
  readonly seed: number
  readonly gate: AuthGate
  readonly online: boolean
  /** By id, oldest first. */
  readonly requests: Readonly<Record<string, RequestUse>>
}

/** Sent to every request. */
type ForAll = Extract<RequestEvent, { type: 'gate.changed' | 'environment.changed' }>

const PHASES: Readonly<Record<PhaseChange['type'], RequestUse['phase']>> = {
  'request.queued': 'queued',
  'request.waiting': 'waiting',
  'request.slow': 'slow',
  'request.receiving': 'receiving',
}

const NEXT = { type: 'queue.next' } as const

export const requestsMachine = setup({
  types: {
    context: {} as RequestsContext,
    input: {} as { timings: Timings; seed: number },
    events: {} as RequestCommand | RequestReport | ForAll | { type: 'queue.next' },
  },
  actors: { request: requestMachine },
  guards: {
    isUnsettled: ({ context }, params: { id: string }) => Object.hasOwn(context.requests, params.id),
    isTokenMissing: ({ context: { gate } }) => gate.kind === 'user' && tokenOf(gate) === undefined,
  },
  actions: {
    setGate: assign((_, params: { gate: AuthGate }) => ({ gate: params.gate })),
    setOnline: assign((_, params: { online: boolean }) => ({ online: params.online })),
    notifyAll: enqueueActions(({ context, enqueue }, event: ForAll) => {
      for (const id of Object.keys(context.requests)) enqueue.sendTo(`request.${id}`, event)
    }),
    abortOlder: enqueueActions(({ context, enqueue }, { info }: { info: RequestInfo }) => {
      if (info.supersede === undefined) return
      for (const [id, { supersede }] of Object.entries(context.requests)) {
        if (supersede === info.supersede)
          enqueue.sendTo(`request.${id}`, { type: 'request.abort', reason: 'superseded' })
      }
    }),
    start: assign(({ context, spawn }, { info }: { info: RequestInfo }) => {
      const { value, seed } = draw(context.seed)
      const { timings, gate, online, requests } = context
      const mayProceed = hasRoom(context) && blockerOf(gate, info) === 'none'
      const input = { info, timings, gate, online, granted: mayProceed, seed: value * 2 ** 32 }
      spawn('request', { id: `request.${info.id}`, input })
      const { priority = 'normal', supersede } = info
      const use = {
        phase: mayProceed ? 'sending' : 'waiting',
        priority,
        ...(supersede && { supersede }),
      } as const
      return { seed, requests: { ...requests, [info.id]: use } }
    }),
    setPhase: assign(({ context: { requests } }, { id, type }: PhaseChange) => {
      const use = requests[id]
      return use ? { requests: { ...requests, [id]: { ...use, phase: PHASES[type] } } } : {}
    }),
    /** Goes through its own mailbox, so that reports of requests that ended in the same step come first. */
    scheduleNext: enqueueActions(({ context, enqueue, self }) => {
      if (canGrant(context)) enqueue.sendTo(self, NEXT)
    }),
    grant: enqueueActions(({ context, enqueue }) => {
      const id = hasRoom(context) ? nextOf(context.requests) : undefined
      const use = id === undefined ? undefined : context.requests[id]
      if (id === undefined || !use) return
      enqueue.assign({ requests: { ...context.requests, [id]: { ...use, phase: 'sending' } } })
      enqueue.sendTo(`request.${id}`, { type: 'request.granted' })
    }),
    abort: enqueueActions(({ enqueue }, { id, reason }: { id: string; reason?: AbortReason }) => {
      enqueue.sendTo(`request.${id}`, { type: 'request.abort', ...(reason && { reason }) })
    }),
    settle: enqueueActions(({ context, enqueue, self }, { output }: { output: RequestOutput }) => {
      const requests = withoutKey(context.requests, output.id)
      enqueue.stopChild(`request.${output.id}`)
      enqueue.assign({ requests })
      enqueue(sendParent({ type: 'request.settled', output } satisfies RequestsReport))
      if (canGrant({ ...context, requests })) enqueue.sendTo(self, NEXT)
    }),
    notifyParent: sendParent((_, report: RequestsReport) => report),
  },
}).createMachine({
  id: 'requests',
  context: ({ input }) => ({ ...input, gate: { kind: 'booting' }, online: true, requests: {} }),
  on: {
    'gate.changed': { actions: [withEvent('setGate'), withEvent('notifyAll')] },
    'environment.changed': { actions: [withEvent('setOnline'), withEvent('notifyAll')] },
    'request.start': { actions: [withEvent('abortOlder'), withEvent('start')] },
    'request.abort': { guard: withEvent('isUnsettled'), actions: withEvent('abort') },
    'request.queued': { actions: [withEvent('setPhase'), 'scheduleNext'] },
    'request.slow': { actions: [withEvent('setPhase'), 'scheduleNext'] },
    'request.waiting': [
      {
        guard: 'isTokenMissing',
        actions: [
          withEvent('setPhase'),
          { type: 'notifyParent', params: { type: 'token.needed' } },
          'scheduleNext',
        ],
      },
      { actions: [withEvent('setPhase'), 'scheduleNext'] },
    ],
    'request.receiving': { actions: [withEvent('setPhase'), withEvent('notifyParent'), 'scheduleNext'] },
    'queue.next': { actions: 'grant' },
    'token.rejected': { actions: withEvent('notifyParent') },
    'key.refused': { actions: withEvent('notifyParent') },
    'key.accepted': { actions: withEvent('notifyParent') },
    'request.settled': { actions: withEvent('settle') },
  },
})

const hasRoom = ({ requests, timings }: RequestsContext): boolean =>
  Object.values(requests).filter(({ phase }) => phase === 'sending').length < timings.maxConcurrent

/** A request is queued and a slot is free. */
const canGrant = (context: RequestsContext): boolean =>
  nextOf(context.requests) !== undefined && hasRoom(context)

const RANKS: Readonly<Record<Priority, number>> = { high: 0, normal: 1, low: 2 }

/** The most urgent queued request, or the oldest among equals. */
function nextOf(requests: RequestsContext['requests']): string | undefined {
  const queued = Object.entries(requests).filter(([, { phase }]) => phase === 'queued')
  const rank = Math.min(...queued.map(([, { priority }]) => RANKS[priority]))
  return queued.find(([, { priority }]) => RANKS[priority] === rank)?.[0]
}
