// The network activity of Chartroom's own systems, as reported by their ports: each request attempt, each call of
// another port, and each socket.
import { numberAt } from '../event-values.ts'
import { isOwnSystem, WireNotes } from '../timeline/wire-notes.ts'
import { type Wire, type WireAttempt, WireTable } from '../timeline/wire-table.ts'
import { livesOf, type Exported, type Life } from './run-text.ts'

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

/** Returns all network activity, in the order of start times. */
export function exchangesOf(trace: Exported): Exchange[] {
  if (!isOwnSystem(trace.header.system)) return []
  const lives = new Map(livesOf(trace).map(life => [life.actor.index, life]))
  const last = trace.steps.at(-1)?.t ?? 0
  return wiresOf(trace)
    .flatMap(wire =>
      wire.attempts.flatMap(attempt => {
        const life = lives.get(attempt.actor)
        return life ? [exchangeOf(wire, attempt, life, last)] : []
      }),
    )
    .sort((a, b) => a.start - b.start || a.actor - b.actor)
}

function wiresOf({ actors, steps }: Exported): readonly Wire[] {
  const notes = new WireNotes()
  const table = new WireTable(actors)
  const seen = new Set<number>()
  for (const step of steps) {
    const isFirst = !seen.has(step.actor)
    seen.add(step.actor)
    for (const note of notes.take(step, isFirst, actors, true)) table.take(note, steps[note.seq]?.t ?? step.t)
  }
  return table.list
}

function exchangeOf(wire: Wire, attempt: WireAttempt, { actor, start, end }: Life, last: number): Exchange {
  const { kind, method, path } = wire
  const { answered, status, failure, bytes } = attempt
  const number = numberAt(start.event, 'input', 'attempt')
  // A port may make several calls, which end with their responses.
  const over = kind === 'call' ? (answered ?? end?.t) : end?.t
  return {
    kind: kind === 'socket' ? 'socket' : 'request',
    actor: actor.index,
    method,
    path,
    start: attempt.start,
    ...(answered !== undefined && status !== undefined && { answered }),
    end: over ?? last,
    isOver: over !== undefined,
    status: status ?? 0,
    ...(failure !== undefined && { failure }),
    ...(bytes !== undefined && { bytes }),
    ...(kind === 'request' && number !== undefined && { attempt: number }),
  }
}
