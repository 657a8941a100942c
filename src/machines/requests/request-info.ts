// What machines know of a request: its info, its outcomes, and its failure messages.
import { timedOut, type Failure } from '../failure.ts'
import type { Access, AuthGate, AuthGateEvent } from '../session/gate.ts'
import { SLOW_BYTES_PER_MS, STREAM_SENDING_TIME, type Timings } from '../timings.ts'

export type Priority = 'high' | 'normal' | 'low'

/** The data of a call known to the machines; its body and headers stay in the services under `id`. */
export interface RequestInfo {
  readonly id: string
  readonly family: 'rest' | 'storage' | 'functions' | 'auth' | 'realtime' | 'other'
  readonly method: string
  /** Path and query without secrets; for display and traces, never sent. */
  readonly path: string
  /** Defaults to the identity that is signed in after booting. */
  readonly access?: Access
  readonly priority?: Priority
  /** Timeout of one attempt, in milliseconds. */
  readonly timeout?: number
  /** Timeout of the whole call, including a streamed response, in milliseconds. */
  readonly deadline?: number
  /** Declared by the caller as safe to send twice: it carries an idempotency key. */
  readonly repeatable?: boolean
  /** The body is a stream and can be sent only once. */
  readonly streamed?: boolean
  /** Size of a large body. */
  readonly bytes?: number
  /** A newer request with the same key aborts this one. */
  readonly supersede?: string
}

/** The phase of a request: `receiving` when its headers have arrived and its body still streams. */
export type RequestPhase = 'queued' | 'waiting' | 'sending' | 'receiving'

export type AbortReason = 'by_app' | 'superseded' | 'signed_out'

/**
 * The outcome of a request: the status of a response (including HTTP errors) and the fault it names, or a
 * failure without a response.
 */
export type RequestOutput =
  | { readonly id: string; readonly status: number; readonly faultId?: string }
  | { readonly id: string; readonly failure: Failure }

/** Events that a running request sends to the client. */
export type RequestReport =
  | { readonly type: 'request.queued'; readonly id: string }
  | { readonly type: 'request.waiting'; readonly id: string }
  /** The headers have arrived; the body follows. */
  | { readonly type: 'request.receiving'; readonly id: string }
  /** A token that should be live was rejected. */
  | { readonly type: 'token.rejected'; readonly tokenId: string }
  | { readonly type: 'request.settled'; readonly output: RequestOutput }

/** Reports the current phase of a request. */
export type PhaseChange = Extract<RequestReport, { id: string }>

/** Events that a request receives. */
export type RequestEvent =
  | AuthGateEvent
  | { readonly type: 'environment.changed'; readonly online: boolean }
  /** It may be sent now. */
  | { readonly type: 'request.granted' }
  | { readonly type: 'request.abort'; readonly reason?: AbortReason }

const ABORTED: Readonly<Record<AbortReason, string>> = {
  by_app: 'The request was aborted.',
  superseded: 'A newer request replaced this one.',
  signed_out: 'The session ended during the request.',
}
export const aborted = (code: AbortReason = 'by_app'): Failure => ({
  kind: 'aborted',
  code,
  message: ABORTED[code],
})

export const sessionEnded: Failure = {
  kind: 'auth',
  code: 'session_ended',
  message: 'The session ended before the request was sent.',
}
export const notSignedIn: Failure = {
  kind: 'auth',
  code: 'not_signed_in',
  message: 'Sign in first: this requires a session.',
}
export const bodySpent: Failure = {
  kind: 'auth',
  code: 'body_spent',
  status: 401,
  message:
    'The token was refreshed, but the request body is a stream and cannot be sent twice. Send it again.',
}

export const pastDeadline: Failure = { ...timedOut('The request'), code: 'deadline' }

export const rateLimited = ({
  status,
  retryAfter = 0,
}: {
  readonly status: number
  readonly retryAfter?: number
}): Failure => ({
  kind: 'rateLimit',
  status,
  retryAfter,
  message: `The backend is rate limiting requests. Try again in ${Math.ceil(retryAfter)} s.`,
})

export const brokenOff: Failure = {
  kind: 'network',
  message: 'The connection broke before the response was complete.',
}

/** Why there was no live token in time. */
export function noToken(gate: AuthGate, isOnline: boolean): Failure {
  if (gate.kind === 'booting') {
    return { kind: 'timeout', code: 'not_ready', message: 'The stored session could not be read in time.' }
  }
  return isOnline
    ? {
        kind: 'timeout',
        code: 'no_live_token',
        message: 'No live access token was available in time, so the request was not sent.',
      }
    : {
        kind: 'network',
        code: 'blocked_offline',
        message:
          'You are offline and the session must be refreshed first. Nothing was sent. Try again when online.',
      }
}

const sendingTime = ({ bytes = 0, streamed }: RequestInfo) =>
  streamed ? STREAM_SENDING_TIME : bytes / SLOW_BYTES_PER_MS

export const attemptTime = (info: RequestInfo, timings: Timings): number =>
  info.timeout ?? timings.requestTimeout + sendingTime(info)

export const wholeTime = (info: RequestInfo, timings: Timings): number =>
  info.deadline ?? timings.requestDeadline + sendingTime(info)

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Whether the request may be sent twice. PUT and DELETE may not, although HTTP defines them as idempotent: if
 * the first response was lost, the second attempt reports that there is nothing to delete, or overwrites what
 * another user wrote in between.
 */
export const isRepeatable = ({ method, repeatable, streamed }: RequestInfo): boolean =>
  !streamed && (repeatable === true || SAFE.has(method))
