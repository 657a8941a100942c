// What a step did to the state of a machine, in few words.
import type { StateValue } from '../../trace/format.ts'
import { leafPaths, stateLabel } from '../../trace/timeline/state-value.ts'

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
