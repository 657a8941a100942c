// Every constant the machines use, with its reason.

/** Durations and limits of the machines, in milliseconds unless stated otherwise. */
export interface Timings {
  /** Interval of the checks whether the token is due. */
  readonly checkEvery: number
  /** How long before expiry a token counts as due. */
  readonly refreshBefore: number
  /** Width of the span over which clients spread their refreshes. */
  readonly refreshJitter: number
  /** How long another tab may hold the session's lock. */
  readonly lockTimeout: number
  /** Timeout of reading the stored session. */
  readonly storageTimeout: number
  /** How long a tab waits for leadership before it counts as a follower. */
  readonly electTimeout: number
  /** In browsers without locks: the span of the random delay before a refresh. */
  readonly aloneSpread: number
  /** This many attempts (a count) within the window open the breaker for the pause. */
  readonly breakerLimit: number
  readonly breakerWindow: number
  readonly breakerPause: number
  /** Timeout of one HTTP attempt of a request that is not unbounded, such as a read. */
  readonly requestTimeout: number
  /** Timeout of a whole request until its headers arrive: waiting, queueing, delays and attempts. */
  readonly requestDeadline: number
  /** Interval of the progress checks of a streaming body; a body without progress in between has stalled. */
  readonly bodyCheck: number
  /** Maximum number of requests waiting for their headers at once; a count, not a time. */
  readonly maxConcurrent: number
  /** How long a request waits for a live token. */
  readonly tokenTimeout: number
  /** Timeout of one sign-in, sign-out or refresh call. */
  readonly authTimeout: number
  /** Shortest and longest delay between attempts. */
  readonly backoffMin: number
  readonly backoffMax: number
  /** Timeout of opening a socket, and of joining a channel. */
  readonly connectTimeout: number
  readonly joinTimeout: number
  readonly heartbeatEvery: number
  /** Timeout of a heartbeat's response, of a probe on a socket, and of an HTTP probe. */
  readonly probeTimeout: number
  /** How long a socket stays open while the page is hidden. */
  readonly suspendHiddenAfter: number
  /** How long a socket stays open after the last channel was left. */
  readonly lingerFor: number
  /** How long a socket or channel must stay up before the retry delay resets. */
  readonly settleAfter: number
  /** Timeout of an app's resync. */
  readonly resyncTimeout: number
  /** Delay before a denied socket is retried with the same token. */
  readonly deniedRetry: number
  /** How long a key counts as accepted after a check, whatever refusals say. */
  readonly keyTrust: number
  /** Shortest time between two checks of a refused key that the user did not ask for. */
  readonly keyCheckPause: number
}

/** Default durations of all machines, in milliseconds. */
export const DEFAULT_TIMINGS: Timings = {
  // Cheap enough to run always, and frequent enough for three checks before expiry.
  checkEvery: 30_000,
  refreshBefore: 90_000,
  // Clients that started together (an outage, a deploy) spread over twenty seconds instead of refreshing at
  // once.
  refreshJitter: 20_000,
  // A healthy holder needs one read and one authTimeout, so a tab that holds it longer is frozen or closed.
  lockTimeout: 17_000,
  storageTimeout: 1_000,
  electTimeout: 500,
  // Longer than a refresh usually takes, so that the second tab finds the session that the first has stored.
  aloneSpread: 1_000,
  // Above what retry delays allow (8 a minute), below what a server treats as an attack.
  breakerLimit: 10,
  breakerWindow: 60_000,
  breakerPause: 60_000,
  // Long enough for a slow upload's headers or a cold function; short enough that nothing hangs forever.
  requestTimeout: 60_000,
  // One and a half attempts: users do not wait longer.
  requestDeadline: 90_000,
  // Event streams send something at least twice a minute, or proxies close them.
  bodyCheck: 30_000,
  // Covers a browser's connections (6) and the API's pool (10 to 15); more would wait there unordered.
  maxConcurrent: 24,
  // One authTimeout plus a retry; after that, an error serves the user better than a spinner.
  tokenTimeout: 20_000,
  authTimeout: 15_000,
  backoffMin: 500,
  backoffMax: 30_000,
  connectTimeout: 10_000,
  joinTimeout: 10_000,
  // Below the 60 s after which common proxies close an idle socket; the same as in the original client.
  heartbeatEvery: 25_000,
  // A slow mobile network responds within two seconds; a dead one never does.
  probeTimeout: 4_000,
  // Messages should reach a hidden page, but not for a whole night on an open laptop.
  suspendHiddenAfter: 3_600_000,
  // The next page of an app joins its channels within a second or two; server connections are scarce.
  lingerFor: 5_000,
  // A connection that breaks sooner counts as one that never opened.
  settleAfter: 10_000,
  resyncTimeout: 30_000,
  // Usually a wrong key, which time does not fix; sometimes a proxy or a paused project, which it does.
  deniedRetry: 120_000,
  // An app that refuses its users' keys with a gateway’s words causes one check a minute, not one a call.
  keyTrust: 60_000,
  // A user who switches between the app and the host’s dashboard returns every few seconds.
  keyCheckPause: 5_000,
}

/**
 * Within this time of a token's expiry, a timer reports the expiry. Longer than any pause between two ticks of
 * a running page; earlier, ticks report it, since timers are limited to some weeks.
 */
export const EXPIRY_TIMER_SPAN = 600_000

/** Delay before the automatic retry of a failed load or row edit: the backend has had time to recover. */
export const AUTO_RETRY_DELAY = 4_000

/**
 * How long a call may wait for a response before the workbench checks the backend, and the time limit of that
 * check: together below the five seconds after which users assume a hang.
 */
export const BACKEND_PATIENCE = 2_000
export const BACKEND_CHECK_TIMEOUT = 2_500
/** Longest delay before the next check that a backend under maintenance may ask for. */
export const MAX_MAINTENANCE_DELAY = 300_000

/**
 * Maximum number of attempts of one request: two retries are enough for a blip, and few enough not to add much
 * load.
 */
export const MAX_REQUEST_ATTEMPTS = 3
/** Bytes per millisecond of a slow connection, on which a large body must not time out. */
export const SLOW_BYTES_PER_MS = 50
/** How long sending a streamed body may take, whose size is unknown. */
export const STREAM_SENDING_TIME = 600_000

/** Maximum number of concurrent uploads: three saturate the connection, a fourth would only slow each down. */
export const MAX_CONCURRENT_UPLOADS = 3
/** Maximum number of open questions: each has an actor, and one answer for all settles the rest. */
export const MAX_OPEN_QUESTIONS = 50
/** Maximum number of attempts of an upload without progress: about two minutes of a backend that is down. */
export const MAX_UPLOAD_ATTEMPTS = 9
/** Free names that turn out to be taken by files this user cannot see; more attempts would not help. */
export const MAX_NAME_CONFLICTS = 5
/** Bytes from which a name is checked first, so that a large file is not sent only to find a conflict. */
export const CHECK_NAME_ABOVE = 256_000
/** How long an upload makes no progress before it is reported as stalled. */
export const STALL_WARNING = 10_000

/** Shortest and longest delay between the attempts of a job (import, export, comparison, files). */
export const JOB_RETRY = { min: 1_000, max: 30_000 } as const

/** Rows written at once: a paste into a thousand rows leaves capacity for the page's other requests. */
export const MAX_CONCURRENT_EDITS = 4

/** After this many single rows in a row with the same error, the rest of an import will most likely fail too. */
export const IMPORT_SAME_FAILURES = 10

/**
 * An account with more failures in a row is skipped until the user retries, so that the others need not wait
 * for it.
 */
export const COMPARISON_ATTEMPTS = 4

/** Batches in a row without progress: about two minutes of a backend that is down. */
export const FILE_JOB_ATTEMPTS = 9

/** The browser reports its network timings shortly after the end of a call, or not at all. */
export const NETWORK_TIMINGS_TIMEOUT = 2_000
