// Finds the states that a machine's actors were in.
import { type ReplayableTrace, statesOf } from '../trace/index.ts'

type Value = ReplayableTrace['steps'][number]['value']

export interface Entries {
  /** Number of the first step after which the machine was in the state. */
  readonly at: number | undefined
  /** Paths of all atomic states that the machine was in. */
  readonly states: readonly string[]
}

/** Looks for a state, by path, in all actors of the machine. */
export function entriesOf(trace: ReplayableTrace, machine: string, state: string): Entries {
  const states = new Set<string>()
  let at: number | undefined
  for (const { actor, seq, value } of trace.steps) {
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

/** @throws TypeError for an unknown machine or state, which could never be reached */
export function checkNamed({ header, actors }: ReplayableTrace, machine: string, state: string): void {
  const chart = Object.hasOwn(header.machines, machine) ? header.machines[machine] : undefined
  if (!chart) {
    if (actors.some(({ src }) => src === machine)) return
    throw new TypeError(
      `The trace has no machine ${machine}; it has ${Object.keys(header.machines).join(', ')}.`,
    )
  }
  const paths = [...statesOf(chart).keys()].filter(path => path !== '')
  if (!paths.includes(state))
    throw new TypeError(`${machine} has no state ${state}; it has ${paths.join(', ') || 'none'}.`)
}
