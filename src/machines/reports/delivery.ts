// Delivers captured reports, one after the other, until the backend has accepted or refused them.
import { assign, sendParent, setup } from 'xstate'
import { planRetry } from '../backoff.ts'
import { withEvent } from '../with-event.ts'
import type { Failure } from '../failure.ts'
import { port } from '../port.ts'
import type { PortBroken } from '../ports.ts'

type Identified = { readonly id: string }
type HasFailure = { readonly failure: Failure }

/** Picks the report to deliver next, and reserves the delivery for this tab. */
export type NextReportEvent =
  | { readonly type: 'outbox.next'; readonly id: string; readonly attempts: number }
  | { readonly type: 'outbox.empty' }
  /** Another tab delivers. */
  | { readonly type: 'outbox.inUse' }
  | PortBroken
const nextReport = port<NextReportEvent>('nextReport')

/** Sends one part of a report. `part.refused`: the backend will not accept it later either. */
export type SendPartEvent =
  | { readonly type: 'part.sent' }
  | ({ readonly type: 'part.refused' } & HasFailure)
  | ({ readonly type: 'part.failed' } & HasFailure)
  | PortBroken
/** Adds the row of the report. */
const announceReport = port<SendPartEvent, Identified>('announceReport')
/** Uploads the recording and the picture. */
const attachFiles = port<SendPartEvent, Identified>('attachFiles')

type Result = 'sent' | 'refused' | 'failed'

/** Removes a report from the outbox, or counts a failed attempt. */
export type SettleReportEvent = { readonly type: 'outbox.settled' } | PortBroken
const settleReport = port<SettleReportEvent, Identified & { readonly result: Result }>('settleReport')

export type DeliveryCommand =
  /** A report was captured, the device is online again, or the page is visible again. */
  { readonly type: 'delivery.resume' }

/** To the parent: a report has left the outbox. */
export interface ReportDelivered {
  readonly type: 'report.delivered'
  readonly id: string
  readonly outcome: { readonly kind: 'sent' } | ({ readonly kind: 'refused' } & HasFailure)
}

/** Milliseconds between attempts while the backend does not accept reports. */
const RETRY = { min: 5_000, max: 600_000 } as const
/** Milliseconds until the outbox is read again: the tab that delivered may have been closed. */
const LOOK_AGAIN = 300_000

export interface DeliveryContext {
  /** Id of the report in delivery. */
  readonly id: string
  readonly result: Result
  readonly failure?: Failure | undefined
  readonly attempt: number
  readonly delay: number
  readonly seed: number
}

const failing = (result: Result) =>
  ({
    target: 'settling',
    actions: [{ type: 'setResult', params: { result } }, withEvent('setFailure')],
  }) as const

const unsent = {
  'part.refused': failing('refused'),
  'part.failed': failing('failed'),
  'port.broken': failing('failed'),
} as const

export const reportDeliveryMachine = setup({
  types: {
    context: {} as DeliveryContext,
    input: {} as { readonly seed: number },
    events: {} as DeliveryCommand | NextReportEvent | SendPartEvent | SettleReportEvent,
  },
  actors: { nextReport, announceReport, attachFiles, settleReport },
  delays: { retryDelay: ({ context }) => context.delay, lookAgain: LOOK_AGAIN },
  guards: { hasFailed: ({ context }) => context.result === 'failed' },
  actions: {
    begin: assign((_, { id, attempts }: Identified & { readonly attempts: number }) => ({
      id,
      attempt: attempts + 1,
      failure: undefined,
    })),
    setResult: assign((_, { result }: { readonly result: Result }) => ({ result })),
    setFailure: assign((_, { failure }: HasFailure) => ({ failure })),
    reportOutcome: sendParent(({ context: { id, failure } }) => {
      const outcome = failure ? ({ kind: 'refused', failure } as const) : ({ kind: 'sent' } as const)
      return { type: 'report.delivered', id, outcome } satisfies ReportDelivered
    }),
    planRetry: assign(({ context: { attempt, seed, failure } }) =>
      planRetry({ attempt, seed, ...RETRY, retryAfter: failure?.retryAfter }),
    ),
  },
}).createMachine({
  id: 'reportDelivery',
  context: ({ input }) => ({ id: '', result: 'sent', attempt: 1, delay: 0, seed: input.seed }),
  initial: 'looking',
  states: {
    looking: {
      description: 'Looks for a report that was captured, also by a tab that is gone.',
      invoke: { id: 'nextReport', src: 'nextReport' },
      on: {
        'outbox.next': { target: 'announcing', actions: withEvent('begin') },
        'outbox.empty': 'resting',
        'outbox.inUse': 'resting',
        'port.broken': 'resting',
        'delivery.resume': { target: 'looking', reenter: true },
      },
    },
    resting: {
      description: 'Nothing to deliver, or another tab delivers.',
      on: { 'delivery.resume': 'looking' },
      after: { lookAgain: 'looking' },
    },
    announcing: {
      description: 'Adds the row of the report, without which no file is accepted.',
      invoke: { id: 'announceReport', src: 'announceReport', input: ({ context: { id } }) => ({ id }) },
      on: { 'part.sent': 'attaching', ...unsent },
    },
    attaching: {
      description: 'Uploads the recording and the picture.',
      invoke: { id: 'attachFiles', src: 'attachFiles', input: ({ context: { id } }) => ({ id }) },
      on: {
        'part.sent': { target: 'settling', actions: { type: 'setResult', params: { result: 'sent' } } },
        ...unsent,
      },
    },
    settling: {
      description: 'Removes the report from the outbox, or keeps it for another attempt.',
      invoke: {
        id: 'settleReport',
        src: 'settleReport',
        input: ({ context: { id, result } }) => ({ id, result }),
      },
      on: {
        'outbox.settled': [
          { guard: 'hasFailed', target: 'backingOff', actions: 'planRetry' },
          { target: 'looking', actions: 'reportOutcome' },
        ],
        // It stays in the outbox, and the backend recognizes it by its id.
        'port.broken': { target: 'backingOff', actions: 'planRetry' },
      },
    },
    backingOff: {
      description: 'The backend did not accept the report; tried again later, or when the device is online.',
      on: { 'delivery.resume': 'looking' },
      after: { retryDelay: 'looking' },
    },
  },
})
