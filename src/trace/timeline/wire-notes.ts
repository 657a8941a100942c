// Notes what the ports of Chartroom's own machines reported about requests, other calls and sockets.
import { at, numberAt, textAt } from '../event-values.ts'
import type { ActorEntry, StepRecord } from '../format/records.ts'
import type { WireNote } from './block.ts'

/** Ports of other systems may have the same names with another meaning. */
export const isOwnSystem = (system: string): boolean => /^chartroom(?:\/|$)/.test(system)

const ANSWERS: ReadonlySet<string> = new Set(['send.answered', 'send.failed', 'port.broken', 'socket.opened'])

/** A port that makes exactly one call, from its start to its result. */
interface SingleCall {
  readonly method: string
  readonly path: string
  readonly ends: ReadonlySet<string>
}

const SINGLE: Readonly<Record<string, SingleCall>> = {
  refreshToken: {
    method: 'POST',
    path: '/auth/v1/token?grant_type=refresh_token',
    ends: new Set(['refresh.succeeded', 'refresh.failed', 'port.broken']),
  },
  probeSocket: {
    method: 'GET',
    path: '/realtime/v1/api/ping',
    ends: new Set(['probe.answered', 'probe.failed', 'port.broken']),
  },
}

/** Ports that report their calls, and the events that end them. Recordings of earlier versions have only the latter. */
const ENDS: Readonly<Record<string, ReadonlySet<string>>> = {
  authenticate: new Set(['auth.succeeded', 'auth.unconfirmed', 'auth.failed']),
  revoke: new Set(['revoke.succeeded', 'revoke.failed']),
}

/** The first step of a port that may have called, and the path of its call in earlier versions. */
interface Start {
  readonly seq: number
  readonly path: string
}

/** Takes the steps of a trace in order. */
export class WireNotes {
  readonly #starts = new Map<number, Start>()
  readonly #single = new Map<number, SingleCall>()
  /** Actors whose token comes from the app, not from the auth server. */
  readonly #byApp = new Set<number>()
  #hasReports = false

  /**
   * Returns the notes of a step; most steps have none.
   * @param isFirst whether it is the first step of its actor
   * @param isOwn whether the system is Chartroom's
   */
  take(step: StepRecord, isFirst: boolean, actors: readonly ActorEntry[], isOwn: boolean): WireNote[] {
    const begun = isFirst ? this.#begun(step, actors[step.actor], isOwn) : undefined
    if (begun) return [begun]
    const { from, event } = step
    if (from === undefined) return []
    if (isOwn && event.type === 'http.sent') return [this.#sent(step, from)]
    if (isOwn && event.type === 'http.answered') return [answered(step, from, numberAt(event, 'call'))]
    const single = this.#single.get(from)
    if (single) return single.ends.has(event.type) ? [singleAnswer(step, from)] : []
    const start = this.#starts.get(from)
    if (start) return this.#ended(step, from, start, actors[from]?.src ?? '')
    return notesOf(step, from)
  }

  #begun({ actor, seq, event }: StepRecord, entry: ActorEntry | undefined, isOwn: boolean) {
    const { src, parent } = entry ?? {}
    if (src === 'request' || src === 'send' || src === 'socket') return beginning(actor, seq, event, src)
    if (!isOwn) return undefined
    if (at(event, 'input', 'token', 'byApp') === true) this.#byApp.add(actor)
    const single = src !== undefined && Object.hasOwn(SINGLE, src) ? SINGLE[src] : undefined
    if (single && !this.#byApp.has(parent ?? -1)) {
      this.#single.set(actor, single)
      return { actor, seq, kind: 'call', method: single.method, path: single.path } as const
    }
    const scope = textAt(event, 'input', 'scope') ?? 'local'
    if (src === 'authenticate') this.#starts.set(actor, { seq, path: '/auth/v1/' })
    // Other sessions are revoked by a request.
    else if (src === 'revoke' && scope !== 'others')
      this.#starts.set(actor, { seq, path: `/auth/v1/logout?scope=${scope}` })
    return undefined
  }

  #sent({ seq, event }: StepRecord, actor: number): WireNote {
    this.#hasReports = true
    const [method = 'GET', path = '/'] = [textAt(event, 'method'), textAt(event, 'path')]
    return { actor, seq, kind: 'call', call: numberAt(event, 'call') ?? 0, method, path }
  }

  /** Adds the reason to the call. Without reports, the result itself tells that there was a response. */
  #ended({ seq, event }: StepRecord, actor: number, { seq: start, path }: Start, src: string): WireNote[] {
    if (ENDS[src]?.has(event.type) !== true) return []
    const result = { actor, seq, kind: 'result', ...reasonOf(event) } as const
    const status = at(event, 'failure') === undefined ? 200 : numberAt(event, 'failure', 'status')
    const isByApp = this.#byApp.size > 0 || at(event, 'token', 'byApp') === true
    const wasSent = status !== undefined || textAt(event, 'failure', 'kind') === 'network'
    if (this.#hasReports || isByApp || !wasSent) return [result]
    const call = { actor, seq: start, kind: 'call', method: 'POST', path } as const
    if (status === undefined) return [call, { actor, seq, kind: 'answer' }, result]
    const usual = src === 'revoke' && status === 200 ? 204 : status
    return [call, { actor, seq, kind: 'answer', status: usual }, result]
  }
}

/** Notes of requests and sockets. */
function notesOf(step: StepRecord, actor: number): WireNote[] {
  const { seq, event } = step
  const size = numberAt(event, 'bytes')
  const bytes = size === undefined ? {} : { bytes: size }
  if (event.type === 'body.ended') return [{ actor, seq, kind: 'body', ...bytes }]
  if (event.type === 'socket.closed') return [closing(step, actor)]
  if (!ANSWERS.has(event.type)) return []
  const note = answered(step, actor, undefined)
  return [event.type === 'socket.opened' ? { ...note, status: 101 } : { ...note, ...bytes }]
}

function answered({ seq, event }: StepRecord, actor: number, call: number | undefined): WireNote {
  const status = numberAt(event, 'status')
  return {
    actor,
    seq,
    kind: 'answer',
    ...(call !== undefined && { call }),
    ...(status !== undefined && { status }),
    ...reasonOf(event),
  }
}

/** A refresh that another tab overtook was answered with a session. */
function singleAnswer({ seq, event }: StepRecord, actor: number): WireNote {
  const isGood = event.type === 'refresh.succeeded' || textAt(event, 'failure', 'kind') === 'conflict'
  const status =
    numberAt(event, 'status') ?? numberAt(event, 'failure', 'status') ?? (isGood ? 200 : undefined)
  return { actor, seq, kind: 'answer', ...(status !== undefined && { status }), ...reasonOf(event) }
}

function reasonOf(event: unknown): Pick<WireNote, 'failure' | 'error'> {
  const failure = textAt(event, 'failure', 'message')
  const error = textAt(event, 'failure', 'code') ?? textAt(event, 'refusal')
  return { ...(failure !== undefined && { failure }), ...(error !== undefined && { error }) }
}

function beginning(
  actor: number,
  seq: number,
  event: StepRecord['event'],
  src: 'request' | 'send' | 'socket',
): WireNote {
  const base = { actor, seq }
  if (src === 'socket') return { ...base, kind: 'socket', method: 'GET', path: '/realtime/v1/websocket' }
  if (src === 'send') {
    const attempt = numberAt(event, 'input', 'attempt')
    return { ...base, kind: 'attempt', ...(attempt !== undefined && { attempt }) }
  }
  const info = at(event, 'input', 'info')
  const [method = 'GET', path = '/'] = [textAt(info, 'method'), textAt(info, 'path')]
  return { ...base, kind: 'request', method, path }
}

function closing({ seq, event }: StepRecord, actor: number): WireNote {
  const code = numberAt(event, 'code')
  const reason = textAt(event, 'reason')
  return {
    actor,
    seq,
    kind: 'close',
    ...(code !== undefined && { code }),
    ...(reason !== undefined && { reason }),
  }
}
