// What the claims and the header of an access token mean, and their values as people read them.
import { formatSpan } from '../../format.ts'

const MEANINGS: Readonly<Record<string, string>> = {
  iss: 'Who issued it: the auth server',
  sub: 'Who it is about: your user id, auth.uid() in policies',
  aud: 'Whom it is meant for',
  exp: 'When it expires',
  iat: 'When it was issued',
  nbf: 'From when on it holds',
  jti: 'Its own id',
  email: 'Your address, as it was when it was issued',
  phone: 'Your number, as it was when it was issued',
  role: 'The database role that your requests run as',
  aal: 'How surely it is you: aal2 is with a second factor',
  amr: 'How you signed in, the latest first',
  session_id: 'The session that it belongs to',
  is_anonymous: 'Whether you are a guest',
  app_metadata: 'What the backend keeps about you; only servers change it',
  user_metadata: 'What you may change about yourself; no policy should trust it',
  ref: 'The project',
}

const HEADER: Readonly<Record<string, string>> = {
  alg: 'How it is signed',
  kid: 'With which key it is signed',
  typ: 'What it is',
}

const ALGORITHMS: Readonly<Record<string, string>> = {
  HS256: 'with a secret that servers share',
  ES256: 'with a key pair; anybody can check it',
  RS256: 'with a key pair; anybody can check it',
  EdDSA: 'with a key pair; anybody can check it',
}

export const claimMeaning = (name: string): string =>
  Object.hasOwn(MEANINGS, name) ? (MEANINGS[name] ?? '') : 'Added by this backend'

export const headerMeaning = (name: string): string =>
  Object.hasOwn(HEADER, name) ? (HEADER[name] ?? '') : 'Added by this backend'

const TIMES: ReadonlySet<string> = new Set(['exp', 'iat', 'nbf', 'auth_time'])

/** Moments are shown in the time zone of the reader, or in the one given. */
const instantWords = (seconds: number, timeZone?: string): string =>
  new Date(seconds * 1000).toLocaleString('en-GB', {
    dateStyle: 'medium',
    timeStyle: 'medium',
    ...(timeZone === undefined ? {} : { timeZone }),
  })

const plain = (value: unknown): string =>
  value === ''
    ? '(empty)'
    : typeof value === 'string'
      ? value
      : (JSON.stringify(value, null, 2) ?? 'undefined')

interface Method {
  readonly method?: unknown
  readonly timestamp?: unknown
}

const methodWords = (value: unknown, timeZone?: string): string => {
  const { method, timestamp } = (typeof value === 'object' && value !== null ? value : {}) as Method
  if (typeof method !== 'string') return plain(value)
  return typeof timestamp === 'number' ? `${method}, ${instantWords(timestamp, timeZone)}` : method
}

/** A claim's value in words, where words say more than the value. */
export const claimWords = (name: string, value: unknown, timeZone?: string): string => {
  if (TIMES.has(name) && typeof value === 'number') return `${value} · ${instantWords(value, timeZone)}`
  if (name === 'amr' && Array.isArray(value)) return value.map(each => methodWords(each, timeZone)).join('\n')
  return plain(value)
}

export const headerWords = (name: string, value: unknown): string => {
  const text = plain(value)
  const known = name === 'alg' && Object.hasOwn(ALGORITHMS, text) ? ALGORITHMS[text] : undefined
  return known === undefined ? text : `${text} · ${known}`
}

/** Well-known claims first, in their usual order; then what the backend added. */
export const inOrder = (
  claims: Readonly<Record<string, unknown>>,
): readonly (readonly [string, unknown])[] => {
  const order = Object.keys(MEANINGS)
  const rank = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length)
  return Object.entries(claims).sort(([a], [b]) => rank(a) - rank(b) || a.localeCompare(b))
}

/** How long it was given to live, by its own word. */
export const lifeWords = ({ exp, iat }: Readonly<Record<string, unknown>>): string =>
  typeof exp === 'number' && typeof iat === 'number' ? formatSpan((exp - iat) * 1000) : 'not told'
