// Every constant that the machines work with, named with its reason.

/** Milliseconds unless named otherwise. */
export interface Timings {
  /** Between two checks whether the token is due. */
  readonly checkEvery: number
  /** How long before expiry a token counts as due. */
  readonly refreshBefore: number
  /** Deadline of one HTTP attempt of a request. */
  readonly requestTimeout: number
  /** How long a request waits for a live token. */
  readonly tokenTimeout: number
  /** Deadline of one sign-in, sign-out or refresh call. */
  readonly authTimeout: number
  /** First and largest pause between attempts. */
  readonly backoffMin: number
  readonly backoffMax: number
  /** Deadline of one socket open, and of one channel join. */
  readonly connectTimeout: number
  readonly joinTimeout: number
  readonly heartbeatEvery: number
}

export const DEFAULT_TIMINGS: Timings = {
  // The mission's policy: cheap enough to run always, often enough to be three checks ahead of expiry.
  checkEvery: 30_000,
  refreshBefore: 90_000,
  // Long enough for a slow upload's headers or a cold function; short enough that nothing hangs for ever.
  requestTimeout: 60_000,
  // One authTimeout plus a retry: after that the user is better served by an error than by a spinner.
  tokenTimeout: 20_000,
  authTimeout: 15_000,
  backoffMin: 500,
  backoffMax: 30_000,
  connectTimeout: 10_000,
  joinTimeout: 10_000,
  // Under the 60 s after which the usual proxies drop a silent socket, and the original client's own figure.
  heartbeatEvery: 25_000,
}
