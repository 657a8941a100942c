// State values: XState makes a new one at every step, and of the same there need be only one in memory.
import type { StateValue } from '../../trace/format.ts'

/** Values that begin alike. */
interface Branch {
  value: StateValue | undefined
  readonly more: Map<unknown, Branch>
}

/** Beyond so many different ones, as large parallel machines have, values are left as they are. */
const MOST = 2000

/** Gives the one value that stands for all that are the same. */
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

/** Whether two values are the same; those that are shared are told at a glance. */
export function sameState(a: StateValue | undefined, b: StateValue | undefined): boolean {
  if (a === b || typeof a !== 'object' || typeof b !== 'object') return a === b
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every(key => sameState(a[key], b[key]))
}
