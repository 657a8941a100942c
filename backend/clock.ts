// The backend's clock: everything that expires asks it, so that tests and faults can move the time.

/** Milliseconds since 1970, UTC. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }
