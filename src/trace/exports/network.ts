// The network activity of Chartroom's own systems, as reported by their ports: each request attempt, and each
// socket.
import type { StepRecord } from '../format/records.ts'
import { at, textAt } from '../event-values.ts'
import { livesOf, type Exported, type Life } from './run-text.ts'

/** What a port reveals of its call. */
interface AuthCall {
  readonly method: string
  /** Path and query, from the port's input. */
  readonly path: (input: unknown) => string
  /** Type of the success event, and the status of auth servers for it. */
  readonly succeeds: readonly [type: string, status: number]
}

/**
 * By port name. A trace does not show which endpoint a sign-in used, since that could identify the user or
 * the method.
 */
const AUTH_CALLS: Readonly<Record<string, AuthCall>> = {
  refreshToken: {
    method: 'POST',
    path: () => '/auth/v1/token?grant_type=refresh_token',
    succeeds: ['refresh.succeeded', 200],
  },
  authenticate: { method: 'POST', path: () => '/auth/v1/', succeeds: ['auth.succeeded', 200] },
  loadUser: { method: 'GET', path: () => '/auth/v1/user', succeeds: ['user.loaded', 200] },
  revoke: {
    method: 'POST',
    path: input => `/auth/v1/logout?scope=${textAt(input, 'scope') ?? 'local'}`,
    succeeds: ['revoke.succeeded', 204],
  },
}

/** The final events of ports. */
const ANSWERS: ReadonlySet<string> = new Set([
  'refresh.succeeded',
  'refresh.failed',
  'auth.succeeded',
  'auth.unconfirmed',
  'auth.failed',
  'user.loaded',
  'user.failed',
  'revoke.succeeded',
  'revoke.failed',
  'send.answered',
  'send.failed',
  'port.broken',
  'socket.opened',
])

/** One HTTP request, or one socket. */
export interface Exchange {
  readonly kind: 'request' | 'socket'
  /** Index of the port's actor. */
  readonly actor: number
  readonly method: string
  /** Path and query. */
  readonly path: string
  /** Times in milliseconds since the recording started. */
  readonly start: number
  /** When the response headers arrived; absent without a response. */
  readonly answered?: number
  readonly end: number
  readonly isOver: boolean
  /** 0 without a response; 101 for a socket that opened. */
  readonly status: number
  /** The client's reason for the missing response. */
  readonly failure?: string
  /** Size of the response body. */
  readonly bytes?: number
  /** Number of the attempt. */
  readonly attempt?: number
}

/** Ports of other systems may have the same names with another meaning. */
const isOwn = ({ header: { system } }: Exported) => /^chartroom(?:\/|$)/.test(system)

/** Returns all network activity, in the order of start times. */
export function exchangesOf(trace: Exported): Exchange[] {
  if (!isOwn(trace)) return []
  const answers = new Map<number, StepRecord>()
  const sizes = new Map<number, { readonly bytes: number }>()
  for (const step of trace.steps) {
    const bytes = step.from === undefined ? undefined : at(step.event, 'bytes')
    if (step.from !== undefined && typeof bytes === 'number') sizes.set(step.from, { bytes })
    if (step.from === undefined || !ANSWERS.has(step.event.type) || answers.has(step.from)) continue
    answers.set(step.from, step)
  }
  const infos = new Map<number, unknown>()
  const last = trace.steps.at(-1)?.t ?? 0
  return livesOf(trace)
    .flatMap(life => {
      const { actor, start } = life
      if (actor.src === 'request') infos.set(actor.index, at(start.event, 'input', 'info'))
      const answer = answers.get(actor.index)
      if (actor.src === 'socket') return [socketOf(life, answer, last)]
      const call = Object.hasOwn(AUTH_CALLS, actor.src) ? AUTH_CALLS[actor.src] : undefined
      if (call) return [authCallOf(life, call, answer, last)]
      if (actor.src !== 'send' || actor.parent === undefined) return []
      const info = infos.get(actor.parent)
      return info === undefined ? [] : [{ ...requestOf(life, info, answer, last), ...sizes.get(actor.index) }]
    })
    .sort((a, b) => a.start - b.start || a.actor - b.actor)
}

function common({ actor, start, end }: Life, answer: StepRecord | undefined, last: number) {
  const failure = textAt(answer?.event, 'failure', 'message')
  return {
    actor: actor.index,
    start: start.t,
    end: end?.t ?? last,
    isOver: end !== undefined,
    ...(failure !== undefined && { failure }),
  }
}

function requestOf(life: Life, info: unknown, answer: StepRecord | undefined, last: number): Exchange {
  const status = at(answer?.event, 'status')
  const attempt = at(life.start.event, 'input', 'attempt')
  return {
    ...common(life, answer, last),
    kind: 'request',
    method: textAt(info, 'method') ?? 'GET',
    path: textAt(info, 'path') ?? '/',
    status: typeof status === 'number' ? status : 0,
    ...(answer && typeof status === 'number' && { answered: answer.t }),
    ...(typeof attempt === 'number' && { attempt }),
  }
}

/** A failure contains the status of the response, if there was one. */
function authCallOf(life: Life, call: AuthCall, answer: StepRecord | undefined, last: number): Exchange {
  const [succeeded, good] = call.succeeds
  const isGood = answer?.event.type === succeeded || answer?.event.type === 'auth.unconfirmed'
  const status = isGood ? good : at(answer?.event, 'failure', 'status')
  const isAnswered = typeof status === 'number' && status > 0
  return {
    ...common(life, answer, last),
    kind: 'request',
    method: call.method,
    path: call.path(at(life.start.event, 'input')),
    status: isAnswered ? status : 0,
    ...(answer && isAnswered && { answered: answer.t }),
  }
}

function socketOf(life: Life, answer: StepRecord | undefined, last: number): Exchange {
  const isOpen = answer?.event.type === 'socket.opened'
  return {
    ...common(life, answer, last),
    kind: 'socket',
    method: 'GET',
    path: '/realtime/v1/websocket',
    status: isOpen ? 101 : 0,
    ...(isOpen && { answered: answer.t }),
  }
}
