// Reads a trace in portions: most traces have all records ready, others derive them on reading.
import type { TracePortion, TraceSource } from './format.ts'

/** Returns the available lists, after making at most this many more records of each available. */
export function portionOf(source: TraceSource, most: number): TracePortion {
  if (source.portion) return source.portion(most)
  const { actors, stimuli, views } = source
  return { actors, stimuli, views, isWhole: true, size: views.length }
}

/** Adds portions to a trace. A copy with other lists does not inherit them. */
export function inPortions<T extends object>(trace: T, portion: (most: number) => TracePortion): T {
  return Object.defineProperty(trace, 'portion', { value: portion })
}
