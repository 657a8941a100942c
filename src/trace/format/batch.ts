// Reads a trace in portions: most traces have all records ready, others derive them on reading.
import type { TraceBatch, TraceSource } from './trace-source.ts'

/** Returns the available lists, after making at most this many more records of each available. */
export function batchOf(source: TraceSource, most: number): TraceBatch {
  if (source.batch) return source.batch(most)
  const { actors, stimuli, steps } = source
  return { actors, stimuli, steps, isWhole: true, size: steps.length }
}

/** Adds portions to a trace. A copy with other lists does not inherit them. */
export function inBatches<T extends object>(trace: T, batch: (most: number) => TraceBatch): T {
  return Object.defineProperty(trace, 'batch', { value: batch })
}
