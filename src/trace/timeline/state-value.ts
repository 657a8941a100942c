// Formats state values of machines as paths and labels, once for each value however many steps have it.
import type { StateValue } from '../format/records.ts'

/** Every active state below the root, parents before children: `['a', 'a.b']`. */
export function activePaths(value: StateValue | undefined, prefix = ''): string[] {
  if (value === undefined) return []
  if (typeof value === 'string') return value === '' ? [] : [prefix + value]
  return Object.entries(value).flatMap(([key, inner]) => {
    const path = prefix + key
    return [path, ...activePaths(inner, `${path}.`)]
  })
}

/** The innermost active states: `['a.b', 'c.d']`. */
export function leafPaths(value: StateValue | undefined): string[] {
  const all = activePaths(value)
  return all.filter(path => !all.some(other => other.startsWith(`${path}.`)))
}

/** Formats a state value as one line: `a`, `a.b`, `a(x.b, y.c)`. */
export function stateLabel(value: StateValue | undefined): string {
  if (value === undefined) return ''
  if (typeof value === 'string') return value
  const parts = Object.entries(value).map(([key, inner]) => joined(key, inner))
  return parts.join(', ')
}

function joined(key: string, inner: StateValue | undefined): string {
  const label = stateLabel(inner)
  if (label === '') return key
  const regions = typeof inner === 'object' && Object.keys(inner).length > 1
  return regions ? `${key}(${label})` : `${key}.${label}`
}

export interface StateInfo {
  /** Absent for actors without states. */
  readonly value: StateValue | undefined
  /** `a(x.b, y.c)`; empty for actors without states. */
  readonly label: string
  /** Active states, parents before children. */
  readonly paths: readonly string[]
  /** The innermost active states. */
  readonly leaves: readonly string[]
}

export const NO_STATE: StateInfo = { value: undefined, label: '', paths: [], leaves: [] }

export const stateInfo = (value: StateValue): StateInfo => ({
  value,
  label: stateLabel(value),
  paths: activePaths(value),
  leaves: leafPaths(value),
})
