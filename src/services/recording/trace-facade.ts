// Trace objects for readers: a frozen one, and one that always shows the current recording.
import { batchOf, inBatches, type ReplayableTrace } from '../../trace/index.ts'

/** Returns the current trace; only bookmarks on its steps are still added. */
export function freeze(trace: ReplayableTrace): ReplayableTrace {
  const { length } = trace.steps
  return {
    ...trace,
    actors: [...trace.actors],
    stimuli: [...trace.stimuli],
    steps: [...trace.steps],
    tape: [...trace.tape],
    keyframes: [...trace.keyframes],
    damage: [...trace.damage],
    get bookmarks() {
      return trace.bookmarks.filter(({ step }) => step < length)
    },
  }
}

const NAMES = [
  'header',
  'actors',
  'stimuli',
  'steps',
  'damage',
  'tape',
  'hashes',
  'keyframes',
  'bookmarks',
  'end',
] as const

/** Returns one stable object that always shows the current recording. */
export function facade(current: () => ReplayableTrace): ReplayableTrace {
  const { version, subscribe } = current()
  const batch: ReplayableTrace['batch'] = most => batchOf(current(), most)
  const base = inBatches({ live: true, version, subscribe }, batch)
  for (const name of NAMES)
    Object.defineProperty(base, name, { get: () => current()[name], enumerable: true })
  return base as ReplayableTrace
}
