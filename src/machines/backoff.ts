// Pauses between attempts: doubled, bounded, and spread by a seeded generator whose state is plain data.

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
 * The pause before attempt `attempt` (counted from 1): `min · 2^(attempt−1)`, at most `max`, of which the
 * upper half is random so that clients that failed together don't return together.
 */
export function backoff(attempt: number, seed: number, min: number, max: number): Backoff {
  const ceiling = Math.min(max, min * 2 ** Math.min(attempt - 1, 30))
  const { value, seed: next } = draw(seed)
  return { attempt, delay: Math.round(ceiling / 2 + (ceiling / 2) * value), seed: next }
}

/** The limits of auth servers count in windows of five minutes: who asks for more than three of them is mistaken. */
const LONGEST_WISH = 900_000

/** The server's own wish (seconds) goes before ours, within reason. */
export function pause(wanted: Backoff, retryAfter = 0): Backoff {
  return { ...wanted, delay: Math.max(wanted.delay, Math.min(retryAfter * 1000, LONGEST_WISH)) }
}
