// The backend's clock: every expiry uses it, so that tests and faults can change the time.

/** Milliseconds since 1970, UTC. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }
