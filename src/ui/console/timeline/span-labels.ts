// Labels of state bars: the whole state if it fits, else its innermost parts, else their beginning.
import type { StateInfo } from '../../../trace/index.ts'

const known = new WeakMap<StateInfo, readonly string[]>()

/** Returns names of a state, the fullest first. */
export function stateLabels(state: StateInfo): readonly string[] {
  const found = known.get(state)
  if (found) return found
  const keys = state.leaves.map(path => path.slice(path.lastIndexOf('.') + 1))
  const [first = state.label] = keys
  const labels = [...new Set([state.label, keys.join(' · '), first])]
  known.set(state, labels)
  return labels
}

/** Upper and lower bounds of character widths, so that most labels need no measuring. */
const [WIDEST, NARROW] = [7.5, 5.2]
/** Shorter labels carry no information. */
const LEAST = 3

/**
 * Returns the first label that fits, else the beginning of the last one; undefined if there is too little
 * space.
 */
export function fittingLabel(
  labels: readonly string[],
  room: number,
  widthOf: (text: string) => number,
): string | undefined {
  const fits = (text: string) => text.length * WIDEST <= room || widthOf(text) <= room
  const whole = labels.find(fits)
  if (whole !== undefined) return whole === '' ? undefined : whole
  const last = labels.at(-1) ?? ''
  const most = Math.floor(room / NARROW)
  let text = `${last.slice(0, Math.max(0, most - 1))}…`
  while (text.length > LEAST && widthOf(text) > room) text = `${text.slice(0, -2)}…`
  return most < LEAST || text.length < LEAST || widthOf(text) > room ? undefined : text
}
