// A call from sending to completion, as its page shows it: each phase has the data known in it.
import type { FunctionCallState } from '../jobs/create-function-call.ts'
import type { NetworkTimings } from '../../../machines/workbench/function-call.ts'
import type { ResponseKind } from './describe-response.ts'
import type { Draft } from './call-draft.ts'
import { NO_BODY, type Body } from './received.ts'

/** Status and headers of a response. */
export interface Head {
  readonly status: number
  readonly statusText: string
  /** Headers the browser exposes to the page. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly kind: ResponseKind
  readonly type: string
  /** Milliseconds since sending. */
  readonly at: number
}

/** Why there is no response, or only part of one. */
export interface CallFailure {
  readonly message: string
  /** `network`, `timeout`, `auth` …, as named by the client. */
  readonly kind: string
  readonly code?: string
}

/** What is known of a call before its response. */
export interface Sent {
  /** Identifies the call. */
  readonly id: number
  readonly draft: Draft
  readonly path: string
  /** ISO time. */
  readonly sentAt: string
  /** Id of the client's request, as used by the console. */
  readonly request?: string
}

export type CallState =
  | { readonly phase: 'none' }
  | (Sent & { readonly phase: 'sending' })
  | (Sent & { readonly phase: 'receiving'; readonly head: Head; readonly body: Body })
  | (Sent & {
      readonly phase: 'done'
      readonly head: Head
      readonly body: Body
      readonly duration: number
      readonly timings?: NetworkTimings
    })
  | (Sent & {
      readonly phase: 'failed'
      readonly failure: CallFailure
      readonly duration: number
      /** The response received before the interruption. */
      readonly head?: Head
      readonly body?: Body
    })
  | (Sent & {
      readonly phase: 'canceled'
      readonly duration: number
      readonly head?: Head
      readonly body?: Body
    })

export const NO_CALL: CallState = { phase: 'none' }

/** Whether the call is still pending. */
export const isUnderWay = (call: CallState): call is Extract<CallState, { phase: 'sending' | 'receiving' }> =>
  call.phase === 'sending' || call.phase === 'receiving'

/** The received response. The machine never sees it, since its state is recorded. */
export interface ReceivedResponse {
  readonly head?: Head
  readonly body?: Body
}

const UNKNOWN: CallFailure = { message: 'The call was interrupted.', kind: 'bug' }

/** A call as its page shows it: the machine's state, the request and the response. */
export function callState(sent: Sent, call: FunctionCallState, received: ReceivedResponse): CallState {
  const { phase, request, duration, failure = UNKNOWN, timings } = call
  const sentCall: Sent = { ...sent, ...(request === undefined ? {} : { request }) }
  const { head, body = NO_BODY } = received
  if (phase === 'failed') return { phase, ...sentCall, ...received, failure, duration }
  if (phase === 'canceled') return { phase, ...sentCall, ...received, duration }
  if (phase === 'sending' || head === undefined) return { phase: 'sending', ...sentCall }
  if (phase === 'receiving') return { phase, ...sentCall, head, body }
  return { phase, ...sentCall, head, body, duration, ...(timings && { timings }) }
}
