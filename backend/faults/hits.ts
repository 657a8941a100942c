// The report: the latest hits, numbered, and waiters for the next one.
import type { Caller, NamedFault, Subject, Turn } from './rule.ts'

/** One hit of a fault. Contains no query, header or body. */
export interface FaultHit {
  /** Number of the hit since the backend started, from 1. */
  readonly seq: number
  /** Milliseconds since 1970, by the unshifted clock. */
  readonly at: number
  readonly fault: string
  /** The fault's hit count; the response header has `fault#n`. */
  readonly n: number
  readonly family: Subject['family'] | 'clock'
  readonly method?: string
  readonly path?: string
  /** User id from the token, unverified; `anon` or `service` for keys. */
  readonly user?: string
  readonly event?: Subject['event']
  readonly topic?: string
  readonly phoenix?: string
  readonly ref?: string
  /** Milliseconds of delay that the fault added. */
  readonly delay?: number
  /** The id of the hold. */
  readonly held?: string
}

export interface Hits {
  add(hit: Omit<FaultHit, 'seq' | 'at'>): FaultHit
  /** The latest hits, oldest first; only those after `since` if given. */
  list(since?: number): readonly FaultHit[]
  subscribe(listener: (hit: FaultHit) => void): () => void
}

const MOST_KEPT = 1_000

export function createHits(): Hits {
  const listeners = new Set<(hit: FaultHit) => void>()
  let recentHits: FaultHit[] = []
  let seq = 0
  return {
    add(facts) {
      const hit = { seq: (seq += 1), at: Date.now(), ...facts }
      recentHits.push(hit)
      if (recentHits.length >= 2 * MOST_KEPT) recentHits = recentHits.slice(-MOST_KEPT)
      for (const listener of listeners) listener(hit)
      return hit
    },
    list: (since = 0) => recentHits.slice(-MOST_KEPT).filter(hit => hit.seq > since),
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** The facts that a hit of this turn reports. */
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
