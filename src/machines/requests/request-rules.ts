// What follows for a request from its responses, its gate and its clock: pure decisions over its context.
import { isRetryable, type Failure } from '../failure.ts'
import { ANONYMOUS, blockerOf, identityOf, tokenOf, type AuthGate, type Blocker } from '../session/gate.ts'
import type { SendEvent } from '../ports.ts'
import { isRepeatable, wholeTime, type RequestInfo } from './request-info.ts'
import { MAX_REQUEST_ATTEMPTS, type Timings } from '../timings.ts'

export interface RequestInput {
  readonly info: RequestInfo
  readonly timings: Timings
  readonly gate: AuthGate
  readonly online: boolean
  /** The request holds a concurrency slot. */
  readonly granted: boolean
  readonly seed: number
}

export interface RequestContext extends RequestInput {
  /** The identity of the request, fixed by the first open gate. */
  readonly identity: string | undefined
  readonly attempt: number
  readonly delay: number
  readonly status: number | undefined
  readonly faultId: string | undefined
  /** The token of the current attempt. */
  readonly sentWith: string | undefined
  /** The token that was rejected with 401. */
  readonly rejected: string | undefined
  readonly failure: Failure | undefined
}

export type Answered = Extract<SendEvent, { type: 'send.answered' }>

export const requestBlocker = ({ gate, info: { access }, identity, rejected }: RequestContext): Blocker =>
  blockerOf(gate, { access, identity, rejected })

export const identityFor = ({ gate, info, identity }: RequestContext): string | undefined =>
  identity ?? (info.access === 'public' ? ANONYMOUS : identityOf(gate))

/** A request that began anonymously stays anonymous, even if a user has signed in since. */
export const tokenFor = ({ gate, identity }: RequestContext): string | undefined =>
  identity === ANONYMOUS ? undefined : tokenOf(gate)

export const canRetry = ({ attempt, info }: RequestContext, failure: Failure): boolean =>
  attempt < MAX_REQUEST_ATTEMPTS && isRepeatable(info) && isRetryable(failure)

export const canRetryAnswer = (context: RequestContext, { status }: Answered): boolean =>
  canRetry(context, { kind: status === 429 ? 'rateLimit' : 'server', status, message: '' })

/** A complete response that needs no retry. */
export const isComplete = ({ status, streaming }: Answered): boolean => status < 400 && streaming !== true

/** The server's `Retry-After` would end after the deadline. */
export const isRetryPastDeadline = (
  { info, timings }: RequestContext,
  { retryAfter = 0, waited = 0 }: Answered,
): boolean => retryAfter * 1000 > wholeTime(info, timings) - waited

/** Our token was rejected for the first time, and a new one can be requested. */
export function isStale({ gate, info, sentWith, rejected }: RequestContext, answer: Answered): boolean {
  // A 401 of the function itself is not about our token unless the response indicates it.
  const isRefused = answer.tokenRefused ?? (answer.status === 401 && info.family !== 'functions')
  const isBroken = gate.kind === 'user' && gate.breaker === 'open'
  return isRefused && sentWith !== undefined && rejected === undefined && !isBroken
}
