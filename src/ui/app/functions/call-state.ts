// One call from the first word to the last, as its page shows it: each phase holds what can be known in it.
import type { FunctionCallState, LineTimes } from '../../../transfers.ts'
import type { AnswerKind } from './answer-kind.ts'
import type { Draft } from './call-draft.ts'
import { NO_BODY, type Body } from './received.ts'

/** The head of an answer. */
export interface Head {
  readonly status: number
  readonly statusText: string
  /** Those that the browser lets a page see. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly kind: AnswerKind
  readonly type: string
  /** Milliseconds from sending to this. */
  readonly at: number
}

/** Why there is no answer, or only a part of one. */
export interface CallFailure {
  readonly message: string
  /** `network`, `timeout`, `auth` … as the client names them. */
  readonly kind: string
  readonly code?: string
}

/** What is known of a call before anything came of it. */
export interface Sent {
  /** Tells calls apart. */
  readonly id: number
  readonly draft: Draft
  readonly path: string
  /** ISO time. */
  readonly sentAt: string
  /** Of the client's request, by which the console knows it. */
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
      readonly line?: LineTimes
    })
  | (Sent & {
      readonly phase: 'failed'
      readonly failure: CallFailure
      readonly duration: number
      /** What had come before it broke off. */
      readonly head?: Head
      readonly body?: Body
    })
  | (Sent & {
      readonly phase: 'stopped'
      readonly duration: number
      readonly head?: Head
      readonly body?: Body
    })

export const NO_CALL: CallState = { phase: 'none' }

/** Whether something is still to come. */
export const isUnderWay = (call: CallState): call is Extract<CallState, { phase: 'sending' | 'receiving' }> =>
  call.phase === 'sending' || call.phase === 'receiving'

/** What came, which the machine is not told: it would stand in its recording. */
export interface Come {
  readonly head?: Head
  readonly body?: Body
}

const UNKNOWN: CallFailure = { message: 'It broke off.', kind: 'bug' }

/** A call as its page shows it: where its machine is, with what was sent and what came. */
export function callState(sent: Sent, call: FunctionCallState, come: Come): CallState {
  const { phase, request, duration, failure = UNKNOWN, line } = call
  const known: Sent = { ...sent, ...(request === undefined ? {} : { request }) }
  const { head, body = NO_BODY } = come
  if (phase === 'failed') return { phase, ...known, ...come, failure, duration }
  if (phase === 'stopped') return { phase, ...known, ...come, duration }
  if (phase === 'sending' || head === undefined) return { phase: 'sending', ...known }
  if (phase === 'receiving') return { phase, ...known, head, body }
  return { phase, ...known, head, body, duration, ...(line && { line }) }
}
