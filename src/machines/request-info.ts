// What machines know of a request, how it may end, and the words for the ways in which it fails.
import { timedOut, type Failure } from './failure.ts'
import type { Access, Gate, GateEvent } from './gate.ts'
import type { Timings } from './timings.ts'

export type Priority = 'high' | 'normal' | 'low'

/** What the machines know of a call; its body and headers stay in the services under `id`. */
export interface RequestInfo {
  readonly id: string
  readonly family: 'rest' | 'storage' | 'functions' | 'auth' | 'realtime' | 'other'
  readonly method: string
  /** Path and query, with secrets taken out; for people and traces, never sent. */
  readonly path: string
  /** Unset: as whoever is signed in once the boot is over. */
  readonly access?: Access
  readonly priority?: Priority
  /** Milliseconds for one attempt. */
  readonly timeout?: number
  /** Milliseconds for everything, a streaming answer included. */
  readonly deadline?: number
  /** The caller's word that it may be sent twice: it carries an idempotency key. */
  readonly repeatable?: boolean
  /** Its body is a stream and can be sent only once. */
  readonly streamed?: boolean
  /** Size of a large body. */
  readonly bytes?: number
  /** A newer request of the same key aborts this one. */
  readonly supersede?: string
}

/** Where a request is: `receiving` when its headers are here and its body still streams. */
export type RequestPhase = 'queued' | 'waiting' | 'sending' | 'receiving'

export type AbortReason = 'by_app' | 'superseded' | 'signed_out'

/** How a request ended: with the status of an answer (an HTTP error is one) and the fault it names, or without any. */
export type RequestOutput =
  | { readonly id: string; readonly status: number; readonly faultId?: string }
  | { readonly id: string; readonly failure: Failure }

/** What a request tells the client while it runs. */
export type RequestReport =
  | { readonly type: 'request.queued'; readonly id: string }
  | { readonly type: 'request.waiting'; readonly id: string }
  /** The headers are here; the body comes. */
  | { readonly type: 'request.receiving'; readonly id: string }
  /** A token that should be live was refused. */
  | { readonly type: 'token.rejected'; readonly tokenId: string }
  | { readonly type: 'request.settled'; readonly output: RequestOutput }

/** Says where a request is now. */
export type Moved = Extract<RequestReport, { id: string }>

/** What a request is told. */
export type RequestWord =
  | GateEvent
  | { readonly type: 'environment.changed'; readonly online: boolean }
  /** It may go out now. */
  | { readonly type: 'request.granted' }
  | { readonly type: 'request.abort'; readonly reason?: AbortReason }

const ABORTED: Readonly<Record<AbortReason, string>> = {
  by_app: 'The request was aborted.',
  superseded: 'A newer request took the place of this one.',
  signed_out: 'The session ended while the request was under way.',
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
  message: 'Sign in first: this cannot be done without a session.',
}
export const bodySpent: Failure = {
  kind: 'auth',
  code: 'body_spent',
  status: 401,
  message:
    'The session was renewed, but what was being sent is a stream and cannot be sent twice. Send it again.',
}
interface Told {
  readonly status: number
  readonly retryAfter?: number
}

export const pastDeadline: Failure = { ...timedOut('The request'), code: 'deadline' }

export const askedToWait = ({ status, retryAfter = 0 }: Told): Failure => ({
  kind: 'rateLimit',
  status,
  retryAfter,
  message: `The backend asks to wait ${Math.ceil(retryAfter)} s. Try again then.`,
})

/** Why there was no live token in time. */
export function noToken(gate: Gate, isOnline: boolean): Failure {
  if (gate.kind === 'booting') {
    return { kind: 'timeout', code: 'not_ready', message: 'The stored session could not be read in time.' }
  }
  return isOnline
    ? {
        kind: 'timeout',
        code: 'no_live_token',
        message: 'There was no live access token in time, and the request was not sent without one.',
      }
    : {
        kind: 'network',
        code: 'blocked_offline',
        message: 'You are offline and the session must be renewed first. Nothing was sent. Try again online.',
      }
}

/** Bytes per millisecond of a slow line, on which a large body is not given up. */
const SLOW_LINE = 50
/** For a stream, whose size nobody knows. */
const STREAM_TIME = 600_000

const sendingTime = ({ bytes = 0, streamed }: RequestInfo) => (streamed ? STREAM_TIME : bytes / SLOW_LINE)

export const attemptTime = (info: RequestInfo, timings: Timings): number =>
  info.timeout ?? timings.requestTimeout + sendingTime(info)

export const wholeTime = (info: RequestInfo, timings: Timings): number =>
  info.deadline ?? timings.requestDeadline + sendingTime(info)

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Whether it may be sent twice. PUT and DELETE may not, though HTTP has them idempotent: when the first answer
 * was lost, the second says that there is nothing to delete, or undoes what somebody else wrote in between.
 */
export const isRepeatable = ({ method, repeatable, streamed }: RequestInfo): boolean =>
  !streamed && (repeatable === true || SAFE.has(method))
