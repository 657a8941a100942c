// The ambient environment: time and random values for machine code, taped while it is recorded, repeated in a replay.
import { createEntropy } from './entropy.ts'
import type { Environment } from './system-parts.ts'

const entropy = createEntropy()
let current: Environment | undefined

/**
 * Time and random values for machines: for guards, context, delays, `assign` and whatever else decides what a
 * machine does. What they read here while they are recorded, they read again in a replay. Elsewhere, and in the
 * code of leaves and custom actions, it reads the world.
 */
export const env: Environment = {
  /** Milliseconds since 1970, as `Date.now()`. */
  now: () => (current ? current.now() : Date.now()),
  random: () => (current ?? entropy).random(),
  id: () => (current ?? entropy).id(),
}

/** Puts another one in the place of the ambient environment, and gives back which it was: for what runs very often. */
export function swapEnvironment(next: Environment | undefined): Environment | undefined {
  const before = current
  current = next
  return before
}

/** Runs code for which the ambient environment is another one; `undefined` is the world. */
export function withEnvironment<T>(next: Environment | undefined, run: () => T): T {
  const before = current
  current = next
  try {
    return run()
  } finally {
    current = before
  }
}
