// What stands in a bar: the whole state where there is room, else its innermost parts, else the beginning of them.
import type { StateInfo } from '../../../trace/timeline/state-info.ts'

const known = new WeakMap<StateInfo, readonly string[]>()

/** Names of a state, the fullest first. */
export function stateLabels(state: StateInfo): readonly string[] {
  const found = known.get(state)
  if (found) return found
  const keys = state.leaves.map(path => path.slice(path.lastIndexOf('.') + 1))
  const [first = state.label] = keys
  const labels = [...new Set([state.label, keys.join(' · '), first])]
  known.set(state, labels)
  return labels
}

/** Wider than a character ever is, so that most labels need no measuring; and narrower than most are. */
const [WIDEST, NARROW] = [7.5, 5.2]
/** What is shorter says nothing. */
const LEAST = 3

/** The first that fits, else as much of the last as there is room for; nothing where there is too little. */
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
