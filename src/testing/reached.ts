// Which states the actors of a machine were in.
import type { ReplayableTrace } from '../replay.ts'

type Value = ReplayableTrace['views'][number]['value']

export interface Entries {
  /** Number of the first step after which the machine was in the state. */
  readonly at: number | undefined
  /** Paths of all states that it was in, atomic ones alone. */
  readonly states: readonly string[]
}

/** Looks for a state by its path in any actor of the machine. */
export function entriesOf(trace: ReplayableTrace, machine: string, state: string): Entries {
  const states = new Set<string>()
  let at: number | undefined
  for (const { actor, seq, value } of trace.views) {
    if (value === undefined || trace.actors[actor]?.src !== machine) continue
    for (const path of pathsOf(value)) {
      states.add(path)
      if (path === state || path.startsWith(`${state}.`)) at ??= seq
    }
  }
  return { at, states: [...states] }
}

function pathsOf(value: NonNullable<Value>): string[] {
  if (typeof value === 'string') return [value]
  return Object.entries(value).flatMap(([key, inner]) => {
    const below = inner === undefined ? [] : pathsOf(inner)
    return below.length === 0 ? [key] : below.map(path => `${key}.${path}`)
  })
}
