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

export interface RetryPlan {
  /** Number of the retry, counted from 1. */
  readonly attempt: number
  /** State of the jitter generator. */
  readonly seed: number
  /** Shortest and longest delay in milliseconds. */
  readonly min: number
  readonly max: number
  /** Seconds that the server asked to wait. */
  readonly retryAfter?: number | undefined
}

/**
 * Plans a retry: waits `min · 2^(attempt−1)`, at most `max`, or as long as the server asked. The upper half of
 * the delay is random so that clients that failed together do not retry together.
 */
export function planRetry({ attempt, seed, min, max, retryAfter = 0 }: RetryPlan): Backoff {
  const ceiling = Math.min(max, min * 2 ** Math.min(attempt - 1, 30))
  const { value, seed: next } = draw(seed)
  const delay = Math.round(ceiling / 2 + (ceiling / 2) * value)
  return { attempt, delay: Math.max(delay, Math.min(retryAfter * 1000, MAX_RETRY_AFTER)), seed: next }
}

/**
 * Auth servers count rate limits in windows of five minutes; a longer `Retry-After` than three windows is a
 * mistake.
 */
const MAX_RETRY_AFTER = 900_000
