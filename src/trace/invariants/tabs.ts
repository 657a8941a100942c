// The invariant across tabs: at most one refresh of a session in flight in all its tabs.
import type { TraceSource } from '../format/trace-source.ts'
import type { Violation } from './invariants.ts'

/** The recording of one tab. */
export interface TabTrace {
  /** For display, e.g. `tab 2`. */
  readonly name: string
  readonly trace: Pick<TraceSource, 'actors' | 'steps'>
  /** Converts a time of the recording to a clock that all tabs share, in milliseconds. */
  readonly shared: (t: number) => number
  /** When its code was suspended, on the shared clock: what it had in flight then no longer counts. */
  readonly away?: readonly (readonly [from: number, to: number])[]
}

interface Flight {
  readonly tab: string
  readonly actor: string
  readonly seq: number
  readonly t: number
  readonly start: number
  end: number
}

/**
 * Returns every refresh that started while another tab's was in flight. At equal times, ends come before
 * starts.
 */
export function checkTabs(tabs: readonly TabTrace[]): Violation[] {
  const violations: Violation[] = []
  let latest: Flight | undefined
  for (const flight of tabs.flatMap(flightsOf).sort((a, b) => a.start - b.start || a.end - b.end)) {
    if (latest && latest.tab !== flight.tab && flight.start < latest.end) {
      const why = `${flight.tab} started a refresh while that of ${latest.tab} was in flight.`
      const { seq, t, actor } = flight
      violations.push({ invariant: 'oneRefresh', seq, t, actor: `${flight.tab}: ${actor}`, why })
    }
    if (!latest || flight.end > latest.end) latest = flight
  }
  return violations
}

function flightsOf({ name, trace, shared, away = [] }: TabTrace): Flight[] {
  const open = new Map<number, Flight>()
  const all: Flight[] = []
  for (const { seq, t, actor, status } of trace.steps) {
    const entry = trace.actors[actor]
    if (entry?.src !== 'refreshToken') continue
    const known = open.get(actor)
    if (status !== 'active') {
      if (known) known.end = Math.min(known.end, shared(t))
      open.delete(actor)
    } else if (!known) {
      const start = shared(t)
      const end = away.find(([, to]) => to > start)?.[0] ?? Infinity
      const flight = { tab: name, actor: entry.path, seq, t, start, end: Math.max(start, end) }
      open.set(actor, flight)
      all.push(flight)
    }
  }
  return all
}
