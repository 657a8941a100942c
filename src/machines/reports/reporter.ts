// Reports problems: decides whether a report may be made, captures it, and passes it on for delivery.
import { assign, emit, forwardTo, sendTo, setup } from 'xstate'
import { withEvent } from '../with-event.ts'
import type { Failure } from '../failure.ts'
import { port } from '../port.ts'
import type { PortBroken } from '../ports.ts'
import { type DeliveryCommand, type ReportDelivered, reportDeliveryMachine } from './delivery.ts'

/** What a report is about. */
export interface ReportCause {
  readonly kind: 'user' | 'error' | 'signedOut' | 'invariant'
  /** The same for the same failure, at any time and for any user. */
  readonly fingerprint: string
  /** In one line, for people. */
  readonly title: string
}

/** Why no report was made. */
export type ReportDeclined =
  /** The app's `consent` said no. */
  | 'consent'
  /** Only a share of the clients reports automatically. */
  | 'notSampled'
  /** The same failure was reported today. */
  | 'repeated'
  /** The client has sent as many reports or bytes today as it may. */
  | 'budget'

/** How a report ended. `failure` says why, in terms that an app can show. */
export type ReportOutcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'declined'; readonly reason: ReportDeclined }
  /** The backend does not accept it, now or later. */
  | { readonly kind: 'refused'; readonly failure: Failure }
  /** It could not be captured. */
  | { readonly kind: 'lost'; readonly failure: Failure }

export interface ReportRequest {
  readonly id: string
  readonly cause: ReportCause
}

type Requested = ReportRequest & { readonly type: 'report.requested' }

export type ReporterEmitted =
  /** Captured: it survives the tab from now on. */
  | { readonly type: 'report.stored'; readonly id: string }
  | { readonly type: 'report.settled'; readonly id: string; readonly outcome: ReportOutcome }

type Declined = { readonly type: 'report.declined'; readonly reason: ReportDeclined }

/** Decides whether the client may report this. */
export type DecideEvent = { readonly type: 'report.allowed' } | Declined | PortBroken
const decideReport = port<DecideEvent, ReportRequest>('decideReport')

/** Writes the recording, the picture and the note to the outbox; fails with `port.broken`. */
export type CaptureEvent = { readonly type: 'report.captured' } | PortBroken
const captureReport = port<CaptureEvent, ReportRequest>('captureReport')

export interface ReporterContext {
  /** Requested and not captured yet, oldest first. */
  readonly requested: readonly ReportRequest[]
  readonly seed: number
}

function first({ requested }: ReporterContext): ReportRequest {
  const [request] = requested
  if (!request) throw new Error('No report was requested.')
  return request
}

const settled = (id: string, outcome: ReportOutcome): ReporterEmitted => ({
  type: 'report.settled',
  id,
  outcome,
})

const eventsLost = { target: 'idle', actions: [withEvent('emitLost'), 'drop'] } as const

export const reporterMachine = setup({
  types: {
    context: {} as ReporterContext,
    input: {} as { readonly seed: number },
    events: {} as Requested | DeliveryCommand | ReportDelivered | DecideEvent | CaptureEvent,
    emitted: {} as ReporterEmitted,
  },
  actors: { decideReport, captureReport, delivery: reportDeliveryMachine },
  guards: { hasRequest: ({ context }) => context.requested.length > 0 },
  actions: {
    add: assign(({ context }, { id, cause }: Requested) => ({
      requested: [...context.requested, { id, cause }],
    })),
    drop: assign(({ context }) => ({ requested: context.requested.slice(1) })),
    startDelivery: sendTo('delivery', { type: 'delivery.resume' } satisfies DeliveryCommand),
    forward: forwardTo('delivery'),
    emitStored: emit(({ context }): ReporterEmitted => ({ type: 'report.stored', id: first(context).id })),
    emitDeclined: emit(({ context }, { reason }: Declined) =>
      settled(first(context).id, { kind: 'declined', reason }),
    ),
    emitLost: emit(({ context }, { failure }: PortBroken) =>
      settled(first(context).id, { kind: 'lost', failure }),
    ),
    emitDelivered: emit((_, { id, outcome }: ReportDelivered) => settled(id, outcome)),
  },
}).createMachine({
  id: 'reporter',
  context: ({ input }) => ({ requested: [], seed: input.seed }),
  invoke: { id: 'delivery', src: 'delivery', input: ({ context: { seed } }) => ({ seed }) },
  on: {
    'report.requested': { actions: withEvent('add') },
    'delivery.resume': { actions: 'forward' },
    'report.delivered': { actions: withEvent('emitDelivered') },
  },
  initial: 'idle',
  states: {
    idle: {
      description: 'No report is being captured.',
      always: { guard: 'hasRequest', target: 'deciding' },
    },
    deciding: {
      description: 'Checks consent, sample and the budget of the day.',
      invoke: { id: 'decideReport', src: 'decideReport', input: ({ context }) => first(context) },
      on: {
        'report.allowed': 'capturing',
        'report.declined': { target: 'idle', actions: [withEvent('emitDeclined'), 'drop'] },
        'port.broken': eventsLost,
      },
    },
    capturing: {
      description: 'Writes the recording to the outbox, which survives the tab.',
      invoke: { id: 'captureReport', src: 'captureReport', input: ({ context }) => first(context) },
      on: {
        'report.captured': { target: 'idle', actions: ['emitStored', 'drop', 'startDelivery'] },
        'port.broken': eventsLost,
      },
    },
  },
})
