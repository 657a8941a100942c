// The report: the latest hits, numbered, and whoever waits for the next one.
import type { Caller, NamedFault, Subject, Turn } from './rule.ts'

/** One time that a fault hit. Holds no query, header or body. */
export interface FaultHit {
  /** Counts all hits since the backend's start, from 1. */
  readonly seq: number
  /** Milliseconds since 1970 by the true clock. */
  readonly at: number
  readonly fault: string
  /** The fault's n-th hit; `fault#n` is what the response carries. */
  readonly n: number
  readonly family: Subject['family'] | 'clock'
  readonly method?: string
  readonly path?: string
  /** Id of whose token it was, as the token says; `anon` or `service` for keys. */
  readonly user?: string
  readonly event?: Subject['event']
  readonly topic?: string
  readonly phoenix?: string
  readonly ref?: string
  /** Milliseconds that the fault made it wait. */
  readonly delay?: number
  /** Under which id it is held. */
  readonly held?: string
}

export interface Hits {
  add(hit: Omit<FaultHit, 'seq' | 'at'>): FaultHit
  /** The latest, oldest first; only those after a number where one is given. */
  list(since?: number): readonly FaultHit[]
  subscribe(listener: (hit: FaultHit) => void): () => void
}

const MOST_KEPT = 1_000

export function createHits(): Hits {
  const listeners = new Set<(hit: FaultHit) => void>()
  let kept: FaultHit[] = []
  let seq = 0
  return {
    add(facts) {
      const hit = { seq: (seq += 1), at: Date.now(), ...facts }
      kept.push(hit)
      if (kept.length >= 2 * MOST_KEPT) kept = kept.slice(-MOST_KEPT)
      for (const listener of listeners) listener(hit)
      return hit
    },
    list: (since = 0) => kept.slice(-MOST_KEPT).filter(hit => hit.seq > since),
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** What a hit of this turn tells. */
export function factsOf(
  { id }: NamedFault,
  { n, delay }: Turn,
  { family, caller, method, path, event, topic, phoenix, ref }: Subject,
): Omit<FaultHit, 'seq' | 'at'> {
  return {
    fault: id,
    n,
    family,
    ...(method === undefined ? {} : { method }),
    ...(path === undefined ? {} : { path }),
    user: userOf(caller),
    ...(event === undefined ? {} : { event }),
    ...(topic === undefined ? {} : { topic }),
    ...(phoenix === undefined ? {} : { phoenix }),
    ...(ref === undefined ? {} : { ref }),
    ...(delay === 0 ? {} : { delay }),
  }
}

function userOf({ kind, id }: Caller): string {
  return kind === 'user' ? (id ?? 'unknown') : kind
}
