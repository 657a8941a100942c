// What follows for a request from its answers, its gate and its clock: pure decisions over its context.
import { isRetryable, type Failure } from './failure.ts'
import { ANONYMOUS, hurdle, identityOf, tokenOf, type Gate, type Hurdle } from './gate.ts'
import type { SendEvent } from './ports.ts'
import { isRepeatable, wholeTime, type RequestInfo } from './request-info.ts'
import type { Timings } from './timings.ts'

export interface RequestInput {
  readonly info: RequestInfo
  readonly timings: Timings
  readonly gate: Gate
  readonly online: boolean
  /** A place among those under way is kept for it. */
  readonly granted: boolean
  readonly seed: number
}

export interface RequestContext extends RequestInput {
  /** As whom the request goes out, fixed by the first open gate. */
  readonly identity: string | undefined
  readonly attempt: number
  readonly delay: number
  readonly status: number | undefined
  readonly faultId: string | undefined
  /** The token of the attempt under way. */
  readonly sentWith: string | undefined
  /** The token that was refused with 401. */
  readonly rejected: string | undefined
  readonly failure: Failure | undefined
}

export type Answered = Extract<SendEvent, { type: 'send.answered' }>

/** Two more tries after the first: enough for a blip, few enough not to be a load of their own. */
const MAX_ATTEMPTS = 3

export const hurdleOf = ({ gate, info: { access }, identity, rejected }: RequestContext): Hurdle =>
  hurdle(gate, { access, identity, rejected })

export const identityFor = ({ gate, info, identity }: RequestContext): string | undefined =>
  identity ?? (info.access === 'public' ? ANONYMOUS : identityOf(gate))

/** Whoever began anonymously goes on so, whoever has signed in meanwhile. */
export const tokenFor = ({ gate, identity }: RequestContext): string | undefined =>
  identity === ANONYMOUS ? undefined : tokenOf(gate)

export const canRetry = ({ attempt, info }: RequestContext, failure: Failure): boolean =>
  attempt < MAX_ATTEMPTS && isRepeatable(info) && isRetryable(failure)

export const canRetryAnswer = (context: RequestContext, { status }: Answered): boolean =>
  canRetry(context, { kind: status === 429 ? 'rateLimit' : 'server', status, message: '' })

/** All here, and nothing to be mended. */
export const isGood = ({ status, streaming }: Answered): boolean => status < 400 && streaming !== true

/** The pause that the server asks for would end past the deadline. */
export const isFarOff = (
  { info, timings }: RequestContext,
  { retryAfter = 0, waited = 0 }: Answered,
): boolean => retryAfter * 1000 > wholeTime(info, timings) - waited

/** A refused token that is ours, for the first time, while another may be asked for. */
export function isStale({ gate, info, sentWith, rejected }: RequestContext, answer: Answered): boolean {
  // A function's own 401 is not about our token unless the answer says so.
  const isRefused = answer.tokenRefused ?? (answer.status === 401 && info.family !== 'functions')
  const isBroken = gate.kind === 'user' && gate.breaker === 'open'
  return isRefused && sentWith !== undefined && rejected === undefined && !isBroken
}
