// The fault plan: the JSON format of faults.
import * as v from 'valibot'

/** Longest delay of a fault; clients time out long before. */
const LONGEST_DELAY_MS = 600_000
const LARGEST_BODY = 100 * 1024 * 1024
const TEN_YEARS_MS = 315_576_000_000

const integer = (min: number, max: number, of: string) => {
  const message = `must be a whole number of ${of} from ${min} to ${max}`
  return v.pipe(v.number(message), v.integer(message), v.minValue(min, message), v.maxValue(max, message))
}
const text = (of: string, longest = 500) => {
  const message = `must be ${of}, 1 to ${longest} characters`
  return v.pipe(v.string(message), v.minLength(1, message), v.maxLength(longest, message))
}
const oneOf = <const Names extends readonly string[]>(...names: Names) =>
  v.picklist(names, `must be one of ${names.map(name => `"${name}"`).join(', ')}`)
const yes = v.literal(true, 'must be true; leave it out to turn it off')
const count = (of: string) => integer(1, 1_000_000_000, of)
const listOrOne = <Item extends v.GenericSchema>(item: Item) =>
  v.union([item, v.array(item)], 'must be one of the known names, or a list of them')

/** An object with known keys; an unknown key is reported with the list of known ones. */
const keys = <Entries extends v.ObjectEntries>(entries: Entries) =>
  v.strictObject(entries, issue => {
    if (issue.expected === 'Object') return 'must be an object'
    const knownNames = Object.keys(entries).join(', ')
    return issue.expected === 'never' ? `is unknown; known keys are ${knownNames}` : 'is missing'
  })

const whenSchema = keys({
  /** Service; defaults to any. */
  family: v.optional(listOrOne(oneOf('auth', 'rest', 'storage', 'functions', 'realtime'))),
  method: v.optional(listOrOne(oneOf('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'))),
  /** Glob (`/rest/v1/*`) or `/regex/`, for the path without query. */
  path: v.optional(text('a path, as a glob or /regex/')),
  /** Query parameters that must be present with these values. */
  query: v.optional(
    v.record(v.string(), v.string('must be a string'), 'must be an object of names and values'),
  ),
  /** Email address or id of the token's user, `anon` or `service`. */
  user: v.optional(text('an email address, a user id, "anon" or "service"')),
  /** Only the n-th match, counted from 1; a list for several. */
  nth: v.optional(
    v.union([count('times'), v.array(count('times'))], 'must be a number from 1, or a list of them'),
  ),
  /** From the n-th match … */
  from: v.optional(count('times')),
  /** … to the n-th, inclusive. */
  to: v.optional(count('times')),
  /** Every k-th, counted from `from`. */
  every: v.optional(count('times')),
  /** Probability from 0 to 1; the outcome is determined by the seed. */
  probability: v.optional(
    v.pipe(
      v.number('must be a number from 0 to 1'),
      v.minValue(0, 'must be a number from 0 to 1'),
      v.maxValue(1, 'must be a number from 0 to 1'),
    ),
  ),
  /** The socket event; without it, the fault applies to requests. */
  event: v.optional(oneOf('upgrade', 'open', 'frame.in', 'frame.out', 'heartbeat')),
  /** Glob or `/regex/` for a frame's topic; the prefix `realtime:` may be omitted. */
  topic: v.optional(text('a topic, as a glob or /regex/')),
  /** The frame's event, e.g. `phx_join`. */
  phoenix: v.optional(text('a Phoenix event, e.g. "phx_join"')),
})

/** Valid close codes; excludes the two that mean no code and no close frame. */
const isCloseCode = (code: number) =>
  (code >= 1000 && code <= 1014 && code !== 1004) || (code >= 3000 && code <= 4999)
const CLOSE_CODE = v.pipe(
  v.number('must be a close code, 1000 to 1014 (not 1004) or 3000 to 4999'),
  v.integer('must be a close code, 1000 to 1014 (not 1004) or 3000 to 4999'),
  v.check(isCloseCode, 'must be a close code, 1000 to 1014 (not 1004) or 3000 to 4999'),
)
const CLOSE = 'must be a code (1000 to 1014 except 1004, or 3000 to 4999), { "code", "reason" } or "abrupt"'

const actionSchema = keys({
  /** Delay before anything else, in milliseconds. */
  delay: v.optional(integer(0, LONGEST_DELAY_MS, 'milliseconds')),
  /** Maximum random addition to the delay, in milliseconds. */
  jitter: v.optional(integer(0, LONGEST_DELAY_MS, 'milliseconds')),
  /** Responds with this status without processing the request. */
  status: v.optional(integer(400, 599, 'an HTTP error status')),
  /** Responds with this code in the service's format; a known code has a default status and message. */
  code: v.optional(
    v.pipe(text('a code', 64), v.regex(/^[\w.-]+$/, 'must be letters, digits, "_", "-" and "." only')),
  ),
  message: v.optional(text('a message')),
  /** Seconds for the Retry-After header. */
  retryAfter: v.optional(integer(0, 86_400, 'seconds')),
  /** Resets the connection before or after the request is processed. */
  lost: v.optional(oneOf('request', 'response')),
  /** Cuts the connection after this many bytes of the body; truncates a frame. */
  truncate: v.optional(integer(0, LARGEST_BODY, 'bytes')),
  /** Sends the body slowly. */
  bytesPerSecond: v.optional(integer(1, LARGEST_BODY, 'bytes per second')),
  /** Held until it is released by its id. */
  hold: v.optional(oneOf('request', 'response')),
  /** Treats the caller's token as expired. */
  token: v.optional(oneOf('expired')),
  /** The caller's session was ended elsewhere, or its refresh token was reused. */
  session: v.optional(oneOf('revoked', 'reused')),
  /** Shifts the backend's clock by this many milliseconds, forward or back. */
  clock: v.optional(integer(-TEN_YEARS_MS, TEN_YEARS_MS, 'milliseconds')),
  /** Drops the frame. */
  drop: v.optional(yes),
  /** Sends this many additional copies of the frame. */
  duplicate: v.optional(integer(1, 100, 'copies')),
  /** Delivers the frame after the next one. */
  reorder: v.optional(yes),
  /** Damages the frame's content. */
  garble: v.optional(yes),
  /** Closes the socket; `abrupt` means without a close frame. */
  close: v.optional(
    v.union(
      [CLOSE_CODE, oneOf('abrupt'), keys({ code: CLOSE_CODE, reason: v.optional(text('a reason', 120)) })],
      CLOSE,
    ),
  ),
})

/** The response that a release may send instead of the real one. */
export const answerSchema = v.pick(actionSchema, ['status', 'code', 'message', 'retryAfter'])

export const faultSchema = keys({
  /** Names the fault in reports; defaults to `fault-1`, `fault-2` …. */
  id: v.optional(
    v.pipe(text('an id', 64), v.regex(/^[\w.-]+$/, 'must be letters, digits, "_", "-" and "." only')),
  ),
  when: v.optional(whenSchema),
  do: actionSchema,
  /** Maximum number of hits; unlimited by default. */
  times: v.optional(count('times')),
})

const STORIES = ['offline', 'maintenance', 'squall', 'tide'] as const

/** A predefined scenario of several faults. */
export const storySchema = keys({ story: oneOf(...STORIES) })

export type FaultWhen = v.InferOutput<typeof whenSchema>
export type FaultAction = v.InferOutput<typeof actionSchema>
/** One fault: when it applies, and what it does. */
export type Fault = v.InferOutput<typeof faultSchema>
export type StoryName = (typeof STORIES)[number]
export type Story = v.InferOutput<typeof storySchema>
export type SocketEvent = NonNullable<FaultWhen['event']>

/** Faults and stories, and the seed that determines all randomness in them. */
export interface FaultPlan {
  readonly seed?: number | undefined
  readonly faults: readonly (Fault | Story)[]
}
