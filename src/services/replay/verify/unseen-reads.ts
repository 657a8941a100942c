// Values that are random or depend on the time, but were read in a way that the recorder cannot see.
import { isEqual } from '../../../trace/index.ts'
import type { Divergence } from './divergence.ts'

/** Maximum number of named values. */
const MOST = 3

/**
 * Names the values of a divergence that no tape can contain, as sentences: those that another replay computes
 * differently, and those that look as if they were made when a module was loaded, unless a machine `isChanged`.
 */
export function unseenHints(
  first: Divergence,
  isChanged: boolean,
  again: () => Divergence | undefined,
): string[] {
  const differing = first.differences.filter(({ expected, got }) => isMade(expected) && isMade(got))
  if (differing.length === 0) return []
  const step = first.expected ? `${first.expected.actor} took ${first.expected.event}` : 'the system ran'
  const second = new Map(again()?.differences.map(({ path, got }) => [path, got]))
  return differing.slice(0, MOST).flatMap(({ path, got }) => {
    if (second.has(path) && !isEqual(second.get(path), got))
      return `${path} has another value in each replay when ${step}: it is read through a function that was bound before the recorder was loaded; wrap that function in taped()`
    return isChanged
      ? []
      : `${path} is the same in each replay, but was recorded with another value: it may be made when its module is loaded; read it through a function wrapped in taped()`
  })
}

/** Whether a value may be random or a time: a fraction, a large number, or a text of letters and digits. */
function isMade(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isInteger(value) || Math.abs(value) > 1e9
  return typeof value === 'string' && value.length >= 8 && (value.match(/\d/g)?.length ?? 0) >= 2
}
