// State values of machines as paths and as labels.
import type { StateValue } from '../../trace/format.ts'

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

/** A state value in one line: `a`, `a.b`, `a(x.b, y.c)`. */
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

/** What a step did to the state: where it was and where it is, shortened to what differs. */
export interface StateChange {
  readonly from: string
  readonly to: string
}

/** The change between two state values; `from` is empty when nothing moved or there was no state before. */
export function stateChange(before: StateValue | undefined, after: StateValue | undefined): StateChange {
  const was = leafPaths(before)
  const is = leafPaths(after)
  const left = was.filter(path => !is.includes(path))
  const entered = is.filter(path => !was.includes(path))
  if (before === undefined || (left.length === 0 && entered.length === 0)) {
    return { from: '', to: stateLabel(after) }
  }
  const [onlyLeft, onlyEntered] = [left[0], entered[0]]
  if (left.length === 1 && entered.length === 1 && onlyLeft !== undefined && onlyEntered !== undefined) {
    return { from: onlyLeft, to: withoutShared(onlyLeft, onlyEntered) }
  }
  return { from: stateLabel(before), to: stateLabel(after) }
}

function withoutShared(from: string, to: string): string {
  const [a, b] = [from.split('.'), to.split('.')]
  let shared = 0
  while (shared < b.length - 1 && a[shared] === b[shared]) shared += 1
  return b.slice(shared).join('.')
}
