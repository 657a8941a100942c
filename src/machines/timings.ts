// Every constant that the machines work with, named with its reason.

/** Milliseconds unless named otherwise. */
export interface Timings {
  /** Between two checks whether the token is due. */
  readonly checkEvery: number
  /** How long before expiry a token counts as due. */
  readonly refreshBefore: number
  /** Width of the span over which clients spread the time at which a token is due. */
  readonly refreshJitter: number
  /** How long another tab may hold the lock of the session. */
  readonly lockTimeout: number
  /** Deadline of one look at the stored session. */
  readonly storageTimeout: number
  /** How long a tab waits for leadership before it counts as a follower. */
  readonly electTimeout: number
  /** Where there are no locks: span over which tabs draw apart before they refresh. */
  readonly aloneSpread: number
  /** So many attempts (a number) in such a window open the breaker for such a pause. */
  readonly breakerLimit: number
  readonly breakerWindow: number
  readonly breakerPause: number
  /** Deadline of one HTTP attempt of a request. */
  readonly requestTimeout: number
  /** Deadline of a whole request up to its headers: waits, queue, pauses and attempts. */
  readonly requestDeadline: number
  /** Between two looks whether a streaming body moved; one that did not move in between has stalled. */
  readonly bodyCheck: number
  /** How many requests at most wait for their headers at once; a number, not a time. */
  readonly maxConcurrent: number
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
  /** Deadline of a sign of life: of a heartbeat's answer, of a probe on a socket, of an HTTP probe. */
  readonly probeTimeout: number
  /** How long a socket stays open behind a hidden page. */
  readonly suspendHiddenAfter: number
  /** How long a socket stays open after the last channel was left. */
  readonly lingerFor: number
  /** How long a socket and a channel must hold before the pauses begin again with the shortest. */
  readonly settleAfter: number
  /** Deadline of an app's resync. */
  readonly resyncTimeout: number
  /** Until a socket that was refused is tried again with the same token. */
  readonly deniedRetry: number
}

export const DEFAULT_TIMINGS: Timings = {
  // The mission's policy: cheap enough to run always, often enough to be three checks ahead of expiry.
  checkEvery: 30_000,
  refreshBefore: 90_000,
  // Clients that began together (an outage, a deploy) come back over twenty seconds instead of at once.
  refreshJitter: 20_000,
  // A healthy holder is done after a look and an authTimeout, so who holds it longer is frozen or gone.
  lockTimeout: 17_000,
  storageTimeout: 1_000,
  electTimeout: 500,
  // Longer than a refresh usually takes, so that the second tab finds what the first has stored.
  aloneSpread: 1_000,
  // Above what pauses after failures allow by themselves (8 a minute); below what a server takes for an attack.
  breakerLimit: 10,
  breakerWindow: 60_000,
  breakerPause: 60_000,
  // Long enough for a slow upload's headers or a cold function; short enough that nothing hangs for ever.
  requestTimeout: 60_000,
  // One whole attempt and half of another: who waits longer has gone.
  requestDeadline: 90_000,
  // Event streams send something at least twice a minute, or proxies drop them.
  bodyCheck: 30_000,
  // Fills what a browser opens (6) and what the API's pool works on (10 to 15); more would wait there unordered.
  maxConcurrent: 24,
  // One authTimeout plus a retry: after that the user is better served by an error than by a spinner.
  tokenTimeout: 20_000,
  authTimeout: 15_000,
  backoffMin: 500,
  backoffMax: 30_000,
  connectTimeout: 10_000,
  joinTimeout: 10_000,
  // Under the 60 s after which the usual proxies drop a silent socket, and the original client's own figure.
  heartbeatEvery: 25_000,
  // A slow mobile network answers in two seconds; a dead one never does.
  probeTimeout: 4_000,
  // News should reach a hidden page, but not for a whole night of an open laptop.
  suspendHiddenAfter: 3_600_000,
  // Another page of an app joins its channels within a second or two; a server's places are scarce.
  lingerFor: 5_000,
  // What breaks sooner is as broken as what never opened.
  settleAfter: 10_000,
  resyncTimeout: 30_000,
  // Mostly a wrong key, which time does not heal; now and then a proxy or a paused project, which it does.
  deniedRetry: 120_000,
}
