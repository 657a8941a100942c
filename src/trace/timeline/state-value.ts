// Formats state values of machines as paths and labels.
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
