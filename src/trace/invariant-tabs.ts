// The invariant that no single tab can see: at most one refresh of their session in flight across all tabs.
import type { TraceSource } from './format.ts'
import type { Violation } from './invariant-steps.ts'

/** What one tab recorded. */
export interface TabTrace {
  /** For people, e.g. `tab 2`. */
  readonly name: string
  readonly trace: Pick<TraceSource, 'actors' | 'views'>
  /** From a time of the recording to that of a clock that all tabs share, in milliseconds. */
  readonly shared: (t: number) => number
  /** When its code stood still, on the shared clock: what it then had in flight is nobody's any more. */
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

/** Every refresh that began while one of another tab was in flight. Ends count before beginnings of the same time. */
export function checkTabs(tabs: readonly TabTrace[]): Violation[] {
  const violations: Violation[] = []
  let latest: Flight | undefined
  for (const flight of tabs.flatMap(flightsOf).sort((a, b) => a.start - b.start || a.end - b.end)) {
    if (latest && latest.tab !== flight.tab && flight.start < latest.end) {
      const why = `${flight.tab} began a refresh while that of ${latest.tab} was in flight.`
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
  for (const { seq, t, actor, status } of trace.views) {
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
