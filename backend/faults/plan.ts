// The fault plan: what a fault is, as plain JSON.
import * as v from 'valibot'

/** Longest wait that a fault may ask for; a client has given up long before. */
const LONGEST_DELAY_MS = 600_000
const LARGEST_BODY = 100 * 1024 * 1024
const TEN_YEARS_MS = 315_576_000_000

const whole = (least: number, most: number, of: string) => {
  const message = `must be a whole number of ${of} from ${least} to ${most}`
  return v.pipe(v.number(message), v.integer(message), v.minValue(least, message), v.maxValue(most, message))
}
const text = (of: string, longest = 500) => {
  const message = `must be ${of}, 1 to ${longest} characters`
  return v.pipe(v.string(message), v.minLength(1, message), v.maxLength(longest, message))
}
const oneOf = <const Names extends readonly string[]>(...names: Names) =>
  v.picklist(names, `must be one of ${names.map(name => `"${name}"`).join(', ')}`)
const yes = v.literal(true, 'must be true; leave it out if it is not wanted')
const count = (of: string) => whole(1, 1_000_000_000, of)
const listOrOne = <Item extends v.GenericSchema>(item: Item) =>
  v.union([item, v.array(item)], 'must be one of the known names, or a list of them')

/** An object of known keys; a key that was mistyped is told, and which there are. */
const keys = <Entries extends v.ObjectEntries>(entries: Entries) =>
  v.strictObject(entries, issue => {
    if (issue.expected === 'Object') return 'must be an object'
    const known = Object.keys(entries).join(', ')
    return issue.expected === 'never'
      ? `is not known here; there are ${known}`
      : 'is missing; it must be given'
  })

const whenSchema = keys({
  /** Endpoint family; any unless given. */
  family: v.optional(listOrOne(oneOf('auth', 'rest', 'storage', 'functions', 'realtime'))),
  method: v.optional(listOrOne(oneOf('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'))),
  /** Glob (`/rest/v1/*`) or `/regex/`, on the path without its query. */
  path: v.optional(text('a path, as a glob or /regex/')),
  /** Parameters that must be there with these values. */
  query: v.optional(
    v.record(v.string(), v.string('must be a text'), 'must be an object of names and values'),
  ),
  /** E-mail address or id of whose token it is, `anon` or `service`. */
  user: v.optional(text('an e-mail address, a user id, "anon" or "service"')),
  /** Only the n-th that matches, counted from 1; a list for several. */
  nth: v.optional(
    v.union([count('times'), v.array(count('times'))], 'must be a number from 1, or a list of them'),
  ),
  /** From the n-th that matches … */
  from: v.optional(count('times')),
  /** … to the n-th, both included. */
  to: v.optional(count('times')),
  /** Every k-th, counted from `from`. */
  every: v.optional(count('times')),
  /** By chance, from 0 to 1; what chance decides follows from the seed. */
  probability: v.optional(
    v.pipe(
      v.number('must be a number from 0 to 1'),
      v.minValue(0, 'must be a number from 0 to 1'),
      v.maxValue(1, 'must be a number from 0 to 1'),
    ),
  ),
  /** What happens on a socket; without it the fault is for requests. */
  event: v.optional(oneOf('upgrade', 'open', 'frame.in', 'frame.out', 'heartbeat')),
  /** Glob or `/regex/` on a frame's topic; `realtime:` in front may be left out. */
  topic: v.optional(text('a topic, as a glob or /regex/')),
  /** The frame's event, e.g. `phx_join`. */
  phoenix: v.optional(text('a Phoenix event, e.g. "phx_join"')),
})

/** What may go over the wire, and the two that stand for no code and no close frame. */
const isCloseCode = (code: number) =>
  (code >= 1000 && code <= 1014 && code !== 1004) || (code >= 3000 && code <= 4999)
const CLOSE_CODE = v.pipe(
  v.number('must be a close code, 1000 to 1014 (not 1004) or 3000 to 4999'),
  v.integer('must be a close code, 1000 to 1014 (not 1004) or 3000 to 4999'),
  v.check(isCloseCode, 'must be a close code, 1000 to 1014 (not 1004) or 3000 to 4999'),
)
const CLOSE = 'must be a code (1000 to 1014 but 1004, or 3000 to 4999), { "code", "reason" } or "abrupt"'

const actionSchema = keys({
  /** Wait before anything else, in milliseconds. */
  delay: v.optional(whole(0, LONGEST_DELAY_MS, 'milliseconds')),
  /** Up to so much is added to the delay, by chance. */
  jitter: v.optional(whole(0, LONGEST_DELAY_MS, 'milliseconds')),
  /** Answered with this status, without being carried out. */
  status: v.optional(whole(400, 599, 'an HTTP error status')),
  /** Answered with this code in the body of the family; a known one brings its status and message. */
  code: v.optional(
    v.pipe(text('a code', 64), v.regex(/^[\w.-]+$/, 'must be letters, digits, "_", "-" and "." only')),
  ),
  message: v.optional(text('a message')),
  /** Seconds for the header Retry-After. */
  retryAfter: v.optional(whole(0, 86_400, 'seconds')),
  /** The connection is reset: before the request was carried out, or after. */
  lost: v.optional(oneOf('request', 'response')),
  /** The connection is cut after so many bytes of the body; a frame is cut short. */
  truncate: v.optional(whole(0, LARGEST_BODY, 'bytes')),
  /** The body trickles. */
  bytesPerSecond: v.optional(whole(1, LARGEST_BODY, 'bytes per second')),
  /** Kept back until it is released by its id. */
  hold: v.optional(oneOf('request', 'response')),
  /** The caller's token has expired. */
  token: v.optional(oneOf('expired')),
  /** The caller's session was ended elsewhere, or its refresh token used by another. */
  session: v.optional(oneOf('revoked', 'reused')),
  /** The backend's clock is put forward by so many milliseconds, or back. */
  clock: v.optional(whole(-TEN_YEARS_MS, TEN_YEARS_MS, 'milliseconds')),
  /** The frame is lost. */
  drop: v.optional(yes),
  /** The frame comes so many times more. */
  duplicate: v.optional(whole(1, 100, 'copies')),
  /** The frame comes after the next one. */
  reorder: v.optional(yes),
  /** The frame's content is damaged. */
  garble: v.optional(yes),
  /** The socket is closed; `abrupt` is without a close frame. */
  close: v.optional(
    v.union(
      [CLOSE_CODE, oneOf('abrupt'), keys({ code: CLOSE_CODE, reason: v.optional(text('a reason', 120)) })],
      CLOSE,
    ),
  ),
})

/** What is answered in place of the real answer, on release. */
export const answerSchema = v.pick(actionSchema, ['status', 'code', 'message', 'retryAfter'])

export const faultSchema = keys({
  /** Names the fault in reports; `fault-1`, `fault-2` … unless given. */
  id: v.optional(
    v.pipe(text('an id', 64), v.regex(/^[\w.-]+$/, 'must be letters, digits, "_", "-" and "." only')),
  ),
  when: v.optional(whenSchema),
  do: actionSchema,
  /** How many times at most; without end unless given. */
  times: v.optional(count('times')),
})

const STORIES = ['offline', 'maintenance', 'squall', 'tide'] as const

/** A ready-made tale of several faults. */
export const storySchema = keys({ story: oneOf(...STORIES) })

export type FaultWhen = v.InferOutput<typeof whenSchema>
export type FaultAction = v.InferOutput<typeof actionSchema>
/** One fault: when it happens, and what happens then. */
export type Fault = v.InferOutput<typeof faultSchema>
export type StoryName = (typeof STORIES)[number]
export type Story = v.InferOutput<typeof storySchema>
export type SocketEvent = NonNullable<FaultWhen['event']>

/** Faults and stories, and the seed from which all chance in them follows. */
export interface FaultPlan {
  readonly seed?: number | undefined
  readonly faults: readonly (Fault | Story)[]
}
