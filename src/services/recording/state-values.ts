// Shares equal state values: XState creates a new one for every step, but one in memory is enough.
import type { StateValue } from '../../trace/index.ts'

/** Values with the same prefix. */
interface Branch {
  value: StateValue | undefined
  readonly more: Map<unknown, Branch>
}

/** Beyond this many different values, as in large parallel machines, values are not shared. */
const MOST = 2000

/** Returns the shared instance of equal values. */
export function createStateValues(): (value: StateValue) => StateValue {
  const root: Branch = { value: undefined, more: new Map() }
  let count = 0
  const onward = (from: Branch, step: unknown): Branch => {
    const known = from.more.get(step)
    if (known) return known
    const branch = { value: undefined, more: new Map() }
    from.more.set(step, branch)
    count += 1
    return branch
  }
  const shared = (value: StateValue): StateValue => {
    if (typeof value === 'string' || count > MOST) return value
    let at = root
    for (const key in value) {
      const item = value[key]
      at = onward(onward(at, key), item === undefined ? item : shared(item))
    }
    return (at.value ??= value)
  }
  return shared
}

/** Whether two values are equal. Shared values are compared by identity first. */
export function sameState(a: StateValue | undefined, b: StateValue | undefined): boolean {
  if (a === b || typeof a !== 'object' || typeof b !== 'object') return a === b
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every(key => sameState(a[key], b[key]))
}
