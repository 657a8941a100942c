// Retry delays: doubled, bounded, and jittered by a seeded generator whose state is plain data.

export interface Backoff {
  readonly attempt: number
  /** Milliseconds to wait before the next attempt. */
  readonly delay: number
  /** State of the generator after this draw. */
  readonly seed: number
}

/** One step of mulberry32: a number in [0, 1) and the next state. */
export function draw(seed: number): { readonly value: number; readonly seed: number } {
  const next = (seed + 0x6d2b79f5) >>> 0
  let mixed = Math.imul(next ^ (next >>> 15), 1 | next)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return { value: ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296, seed: next }
}

/**
 * The delay before attempt `attempt` (counted from 1): `min · 2^(attempt−1)`, at most `max`. The upper half
 * is random so that clients that failed together do not retry together.
 */
export function backoff(attempt: number, seed: number, min: number, max: number): Backoff {
  const ceiling = Math.min(max, min * 2 ** Math.min(attempt - 1, 30))
  const { value, seed: next } = draw(seed)
  return { attempt, delay: Math.round(ceiling / 2 + (ceiling / 2) * value), seed: next }
}

/**
 * Auth servers count rate limits in windows of five minutes; a longer `Retry-After` than three windows is a
 * mistake.
 */
const LONGEST_WISH = 900_000

/** Extends the delay to the server's `Retry-After` (seconds), up to a limit. */
export function pause(wanted: Backoff, retryAfter = 0): Backoff {
  return { ...wanted, delay: Math.max(wanted.delay, Math.min(retryAfter * 1000, LONGEST_WISH)) }
}
