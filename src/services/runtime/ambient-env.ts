// The ambient environment: time and random values for machine code, taped while recording and repeated in a
// replay.
import { createEntropy } from './entropy.ts'
import type { Environment } from './system-parts.ts'

const entropy = createEntropy()
let current: Environment | undefined

/**
 * Time and random values for machines: use it in guards, context, delays, `assign` and all other code that
 * decides what a machine does. Values read while recording are the same in a replay. Elsewhere, and in leaves
 * and custom actions, it reads the real environment.
 */
export const env: Environment = {
  /** Milliseconds since 1970, like `Date.now()`. */
  now: () => (current ? current.now() : Date.now()),
  random: () => (current ?? entropy).random(),
  id: () => (current ?? entropy).id(),
}

/** Sets the ambient environment and returns the previous one; for hot paths. */
export function swapEnvironment(next: Environment | undefined): Environment | undefined {
  const before = current
  current = next
  return before
}

/** Whether the code that is running reads the platform from a tape. */
export function isAmbientTaped(): boolean {
  return current?.call !== undefined
}

/** Reads the platform by way of the ambient environment. */
export function ambientCall<T>(name: string, real: () => T): T {
  return current?.call ? (current.call(name, real) as T) : real()
}

/** Runs code with another ambient environment; `undefined` is the real one. */
export function withEnvironment<T>(next: Environment | undefined, run: () => T): T {
  const before = current
  current = next
  try {
    return run()
  } finally {
    current = before
  }
}
