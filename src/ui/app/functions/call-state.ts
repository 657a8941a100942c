// One call from the first word to the last, as a statechart in data: each phase holds what can be known in it.
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

/** What the browser measured on the line, in milliseconds since the request was handed to it. */
export interface LineTimes {
  readonly waiting: number
  readonly download: number
  /** Bytes as they came over the line, compressed or not; 0 where the host does not let us know. */
  readonly transferred: number
  readonly protocol: string
}

/** Why there is no answer, or only a part of one. */
export interface CallFailure {
  readonly message: string
  /** `network`, `timeout`, `auth` … as the client names them. */
  readonly kind: string
  readonly code?: string
}

interface Sent {
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

export type CallEvent =
  | ({ readonly type: 'call.sent' } & Sent)
  | { readonly type: 'request.started'; readonly id: number; readonly request: string }
  | { readonly type: 'call.answered'; readonly id: number; readonly head: Head }
  | { readonly type: 'body.moved'; readonly id: number; readonly body: Body }
  | { readonly type: 'body.ended'; readonly id: number; readonly body: Body; readonly duration: number }
  | {
      readonly type: 'call.failed'
      readonly id: number
      readonly failure: CallFailure
      readonly duration: number
    }
  | { readonly type: 'call.stopped'; readonly id: number; readonly duration: number }
  | { readonly type: 'line.measured'; readonly id: number; readonly line: LineTimes }
  | { readonly type: 'call.cleared' }

export const NO_CALL: CallState = { phase: 'none' }

/** Whether something is still to come. */
export const isUnderWay = (call: CallState): call is Extract<CallState, { phase: 'sending' | 'receiving' }> =>
  call.phase === 'sending' || call.phase === 'receiving'

const sentOf = ({ id, draft, path, sentAt, request }: Sent): Sent => ({
  id,
  draft,
  path,
  sentAt,
  ...(request === undefined ? {} : { request }),
})

const soFar = (state: CallState) =>
  state.phase === 'receiving' ? { head: state.head, body: state.body } : {}

/** The next state; what is about another call, or comes too late, changes nothing. */
export function callReducer(state: CallState, event: CallEvent): CallState {
  if (event.type === 'call.sent') return { phase: 'sending', ...sentOf(event) }
  if (event.type === 'call.cleared') return isUnderWay(state) ? state : NO_CALL
  if (state.phase === 'none' || state.id !== event.id) return state
  if (event.type === 'line.measured') return state.phase === 'done' ? { ...state, line: event.line } : state
  if (event.type === 'request.started')
    return isUnderWay(state) ? { ...state, request: event.request } : state
  const sent = sentOf(state)
  switch (event.type) {
    case 'call.answered':
      return state.phase === 'sending'
        ? {
            phase: 'receiving',
            ...sent,
            head: event.head,
            body: NO_BODY,
          }
        : state
    case 'body.moved':
      return state.phase === 'receiving' ? { ...state, body: event.body } : state
    case 'body.ended':
      return state.phase === 'receiving'
        ? { phase: 'done', ...sent, head: state.head, body: event.body, duration: event.duration }
        : state
    case 'call.failed':
      return isUnderWay(state)
        ? { phase: 'failed', ...sent, ...soFar(state), failure: event.failure, duration: event.duration }
        : state
    case 'call.stopped':
      return isUnderWay(state)
        ? { phase: 'stopped', ...sent, ...soFar(state), duration: event.duration }
        : state
  }
}
