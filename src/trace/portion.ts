// The lists of a trace in portions: most have them all ready, others make records ready when they are read.
import type { TracePortion, TraceSource } from './format.ts'

/** The lists as far as they are ready, after at most so many more of each were made so. */
export function portionOf(source: TraceSource, most: number): TracePortion {
  if (source.portion) return source.portion(most)
  const { actors, stimuli, views } = source
  return { actors, stimuli, views, isWhole: true, size: views.length }
}

/** Gives a trace its portions. A copy with other lists does not inherit them. */
export function inPortions<T extends object>(trace: T, portion: (most: number) => TracePortion): T {
  return Object.defineProperty(trace, 'portion', { value: portion })
}
