// Short text for a step's change of a machine's state.
import { leafPaths, stateLabel, type StateValue, type Timeline } from '../../trace/index.ts'

/** A state change: before and after, shortened to the difference. */
export interface StateChange {
  readonly from: string
  readonly to: string
}

/**
 * Returns the change between two state values; `from` is empty if nothing changed or there was no state
 * before.
 */
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

/** Returns the change that a view made to the state of its actor. */
export function changeAt(timeline: Timeline, seq: number): StateChange {
  const previous = timeline.previous(seq)
  return stateChange(previous < 0 ? undefined : timeline.state(previous).value, timeline.state(seq).value)
}

function withoutShared(from: string, to: string): string {
  const [a, b] = [from.split('.'), to.split('.')]
  let shared = 0
  while (shared < b.length - 1 && a[shared] === b[shared]) shared += 1
  return b.slice(shared).join('.')
}
