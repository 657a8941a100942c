// Changes of a step or between two moments: started immediately, finished later for huge values.
import { useCallback, useMemo } from 'react'
import type { StepRecord } from '../../../trace/index.ts'
import { stateChange } from '../state-change.ts'
import { diffSteps, type Change, type Difference } from './diff-walk.ts'
import { useSliced } from './sliced.ts'
import { snapshotOf, namesOf } from './state-path.ts'
import type { ChangeMark } from './tree-row.ts'

/** Undefined until it is known. */
export function useDifference(
  before: StepRecord | undefined,
  after: StepRecord | undefined,
): Difference | undefined {
  return useSliced(useCallback(() => recordSteps(before, after), [before, after]))
}

/** Returns the changes as a tree, for marks; none without a previous step, since everything would be new. */
export function useChangeTree(
  difference: Difference | undefined,
  before: StepRecord | undefined,
): ChangeNode | undefined {
  return useMemo(
    () => (before && difference ? changeTree(difference.changes) : undefined),
    [before, difference],
  )
}

/**
 * Returns the changes between two records of an actor: state, status, output and error before the context.
 */
export function* recordSteps(
  before: StepRecord | undefined,
  after: StepRecord | undefined,
): Generator<void, Difference, void> {
  const { changes, total } = yield* diffSteps(snapshotOf(before), snapshotOf(after))
  const shown = changes.map(change => (change.pointer === '/state' ? moved(change, before, after) : change))
  return { changes: shown.toSorted((a, b) => rank(a) - rank(b)), total }
}

/** Shows only the changed part of a state. */
function moved(change: Change, before: StepRecord | undefined, after: StepRecord | undefined): Change {
  if (change.mark !== 'changed') return change
  const { from, to } = stateChange(before?.value, after?.value)
  return from === '' ? change : { ...change, before: from, after: to }
}

const PARTS = ['status', 'state', 'output', 'error', 'context']
const rank = ({ pointer }: Change): number => PARTS.indexOf(pointer.split('/')[1] ?? '')

export interface ChangeNode {
  readonly mark?: ChangeMark
  readonly before?: unknown
  /** Number of changes below. */
  readonly inside: number
  readonly kids: ReadonlyMap<string, ChangeNode>
}

interface Growing extends ChangeNode {
  mark?: ChangeMark
  before?: unknown
  inside: number
  readonly kids: Map<string, Growing>
}

const growing = (): Growing => ({ inside: 0, kids: new Map() })

/** An item removed from a list is listed next to its replacement, under a separate name. */
export function changeTree(changes: readonly Change[]): ChangeNode {
  const root = growing()
  for (const { pointer, mark, before, inList } of changes) {
    const names = namesOf(pointer)
    let at = root
    for (const [depth, name] of names.entries()) {
      at.inside += 1
      const isGone = inList && mark === 'removed' && depth === names.length - 1
      const key = isGone ? `was ${name}` : name
      const next = at.kids.get(key) ?? growing()
      at.kids.set(key, next)
      at = next
    }
    at.mark = mark
    at.before = before
  }
  return root
}
