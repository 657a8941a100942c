// Compares the responses of two servers to the same request, apart from values that are new each time.
import { decodeJwt } from 'jose'
import type { Exchange } from './conversation.ts'

export interface Difference {
  /** `status`, `header NAME`, or the place in the body, such as `body.user.email`. */
  readonly what: string
  readonly ours: string
  readonly theirs: string
}

/** What a conversation has shown so far about both servers. */
export interface Sides {
  /** The URLs of the servers, which are the same place in both. */
  readonly bases: readonly [ours: string, theirs: string]
  /**
   * Ids, tokens and codes of the original by ours. The same id of ours must always be the same id of the
   * original.
   */
  readonly counterparts: Map<string, string>
}

const ABSENT = 'absent'

/** @param headers the names of those that clients read */
export function compareExchanges(
  ours: Exchange,
  theirs: Exchange,
  sides: Sides,
  headers: readonly string[],
): Difference[] {
  const found: Difference[] = []
  if (ours.status !== theirs.status)
    found.push({ what: 'status', ours: String(ours.status), theirs: String(theirs.status) })
  // A length follows from the body, where there is one.
  const compared =
    ours.body === '' && theirs.body === '' ? headers : headers.filter(name => name !== 'content-length')
  for (const name of compared)
    compareValues(`header ${name}`, ours.headers[name], theirs.headers[name], sides, found)
  compareValues('body', ours.body, theirs.body, sides, found)
  return found
}

/** Adds the differences of two values to `found`. */
export function compareValues(
  what: string,
  ours: unknown,
  theirs: unknown,
  sides: Sides,
  found: Difference[],
): void {
  if (isRecord(ours) && isRecord(theirs)) {
    for (const key of new Set([...Object.keys(ours), ...Object.keys(theirs)]))
      compareValues(`${what}.${key}`, ours[key], theirs[key], sides, found)
  } else if (Array.isArray(ours) && Array.isArray(theirs)) {
    const length = Math.max(ours.length, theirs.length)
    for (let index = 0; index < length; index += 1)
      compareValues(`${what}.${index}`, ours[index], theirs[index], sides, found)
  } else if (typeof ours === 'string' && typeof theirs === 'string') {
    compareTexts(what, ours, theirs, sides, found)
  } else if (typeof ours === 'number' && typeof theirs === 'number' && CLOCK_FIELD.test(what)) {
    const tolerance = what.endsWith('.expires_in') ? 1 : CLOCK_TOLERANCE
    if (Math.abs(ours - theirs) > tolerance) found.push(difference(what, ours, theirs, sides))
  } else if (ours !== theirs) {
    found.push(difference(what, ours, theirs, sides))
  }
}

const CLOCK_FIELD = /\.(?:expires_in|expires_at|iat|exp|nbf|auth_time|timestamp|client_id_issued_at)$/
/** Seconds between the two servers' clocks and responses. */
const CLOCK_TOLERANCE = 60

/** Values that are random, of which only the form is compared. */
const RANDOM_FIELD =
  /[.?](?:refresh_token|hashed_token|token_hash|token|email_otp|otp|secret|state|challenge|client_secret|registration_access_token|authorization_id|qr_code|flow_state|user\.id|nextCursor)$|(?:[?#]|^email)\.code$/

const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/
const ONLY_UUID = new RegExp(`^${UUID.source}$`)
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(Z|[+-]\d\d:\d\d)$/
const HTTP_DATE = /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/
const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/

function compareTexts(what: string, ours: string, theirs: string, sides: Sides, found: Difference[]): void {
  if (ours === theirs) return
  // The seconds of a clock in a URL.
  if (CLOCK_FIELD.test(what) && /^\d+$/.test(ours) && /^\d+$/.test(theirs))
    return compareValues(what, Number(ours), Number(theirs), sides, found)
  if (ONLY_UUID.test(ours) && ONLY_UUID.test(theirs)) {
    const known = sides.counterparts.get(ours)
    const isNew = known === undefined && ![...sides.counterparts.values()].includes(theirs)
    if (isNew) sides.counterparts.set(ours, theirs)
    else if (known !== theirs) found.push({ what, ours: 'the id of something else', theirs: 'another id' })
    return
  }
  if (TIME.test(ours) && TIME.test(theirs)) {
    const [zone, other] = [TIME.exec(ours)?.[1], TIME.exec(theirs)?.[1]]
    if (zone !== other) found.push({ what, ours: `time with ${zone}`, theirs: `time with ${other}` })
    return
  }
  if (HTTP_DATE.test(ours) && HTTP_DATE.test(theirs)) return
  const claims = [claimsOf(ours), claimsOf(theirs)] as const
  if (claims[0] && claims[1]) {
    sides.counterparts.set(ours, theirs)
    return compareValues(`${what} (claims)`, claims[0], claims[1], sides, found)
  }
  const urls = [urlOf(ours, sides.bases[0]), urlOf(theirs, sides.bases[1])] as const
  if (urls[0] && urls[1]) return compareValues(what, urls[0], urls[1], sides, found)
  if (RANDOM_FIELD.test(what)) {
    sides.counterparts.set(ours, theirs)
    const forms = [formOf(ours), formOf(theirs)] as const
    if (forms[0] !== forms[1]) found.push({ what, ours: forms[0], theirs: forms[1] })
    return
  }
  if (normalize(ours, sides.bases[0]) !== normalize(theirs, sides.bases[1]))
    found.push(difference(what, ours, theirs, sides))
}

function claimsOf(text: string): Record<string, unknown> | undefined {
  if (!TOKEN.test(text)) return undefined
  try {
    return { ...decodeJwt(text) }
  } catch {
    return undefined
  }
}

/** A URL, or a path with parameters, by its place and its parameters. */
function urlOf(text: string, base: string): Record<string, unknown> | undefined {
  const isPath = /^\/[^?]*\?/.test(text)
  const url = isPath || /^(?:https?|otpauth):/.test(text) ? URL.parse(text, base) : null
  if (!url) return undefined
  const place = url.pathname === '/' ? url.origin : url.origin + url.pathname
  return {
    place: isPath ? url.pathname : normalize(place, base),
    '?': Object.fromEntries(url.searchParams),
    '#': url.hash.includes('=') ? Object.fromEntries(new URLSearchParams(url.hash.slice(1))) : url.hash,
  }
}

/** The length and the alphabet of a random text. */
function formOf(text: string): string {
  const alphabets = [
    [/^\d+$/, 'digits'],
    [/^[0-9a-f]+$/, 'hexadecimal digits'],
    [/^[a-z2-7]+$/, 'lower-case letters and digits'],
    [/^[A-Z2-7]+$/, 'upper-case base32'],
    [/^[\w-]+$/, 'base64url'],
  ] as const
  if (text.startsWith('pkce_')) return `pkce_ and ${formOf(text.slice('pkce_'.length))}`
  if (text.length > 500) return 'a long text'
  return `${text.length} ${alphabets.find(([pattern]) => pattern.test(text))?.[1] ?? 'characters'}`
}

/** A text without ids, times and the server's URL. */
function normalize(text: string, base: string): string {
  return text
    .replaceAll(base, '<server>')
    .replaceAll(new RegExp(UUID, 'g'), '<id>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)/g, '<time>')
    .replaceAll(/after \d+ seconds/g, 'after N seconds')
}

function difference(what: string, ours: unknown, theirs: unknown, { bases }: Sides): Difference {
  // "1" and 1 must not look the same.
  const isText = [ours, theirs].every(value => value === undefined || typeof value === 'string')
  return { what, ours: printed(ours, bases[0], isText), theirs: printed(theirs, bases[1], isText) }
}

function printed(value: unknown, base: string, isText: boolean): string {
  if (value === undefined) return ABSENT
  const text = normalize(isText && typeof value === 'string' ? value : JSON.stringify(value), base)
  if (text === '') return 'empty'
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}

const LONGEST = 160

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
