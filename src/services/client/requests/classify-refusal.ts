// Reads a refused response for what it says: whether the API key, the token, the user or the app is the reason.
import type { AccessRefusal, RequestInfo } from '../../../machines/index.ts'

export interface RefusedResponse {
  readonly family: RequestInfo['family']
  readonly status: number
  /** Path and query of the request. */
  readonly path?: string
  /** The beginning of the body. */
  readonly text: string
  readonly headers?: Pick<Headers, 'get'> | undefined
  /** What the request carried as its bearer; `own`: credentials of the caller. */
  readonly bearer: 'token' | 'key' | 'own'
}

type Fields = Readonly<Record<string, unknown>>
type Rule = readonly [pattern: RegExp, refusal: AccessRefusal]

/** Codes of the hosted gateway and of the functions service, in `sb-error-code` or in the body. */
const GATEWAY_CODES: readonly Rule[] = [
  [/^UNAUTHORIZED_MISSING_API_KEY$/, 'keyMissing'],
  [/^UNAUTHORIZED_INVALID_API_KEY_TYPE$/, 'keyPrivilege'],
  [/^UNAUTHORIZED_(?=\w*DISABLED)\w*API_KEY/, 'keyDisabled'],
  [/^UNAUTHORIZED_.*API_KEY/, 'keyRejected'],
  [/^UNAUTHORIZED_NO_AUTH_HEADER$/, 'tokenMissing'],
  [/^UNAUTHORIZED_.*(JWT|TOKEN)/, 'tokenRejected'],
]

/** Texts of gateways about the key. A refused endpoint comes first: its text also says that the key is invalid. */
const KEY_TEXTS: readonly Rule[] = [
  [/legacy api keys are disabled/i, 'keyDisabled'],
  [/forbidden use of secret api key/i, 'keyRejected'],
  [
    /secret api key required|api keys? can be used for this endpoint|access to schema is forbidden|only allowed using a secret api key|you cannot consume this service/i,
    'keyPrivilege',
  ],
  [/no api ?key found|api key is missing|missing api ?key/i, 'keyMissing'],
  [
    /(?:invalid|unregistered|unknown|revoked|expired|duplicate) api ?key|invalid authentication credentials/i,
    'keyRejected',
  ],
]

const EXPIRED =
  /(?:jwt|token)(?: is| has)? ?expired|expired (?:jwt|token)|"?exp"? (?:claim timestamp|with value)|expir\w{0,8} time is invalid|InvalidJWTExpiration/i

const TOKEN_TEXTS: readonly Rule[] = [
  [EXPIRED, 'tokenExpired'],
  [
    /anonymous access is disabled|requires a valid bearer token|missing authorization header|auth header is not 'bearer/i,
    'tokenMissing',
  ],
  [/user (?:is )?banned/i, 'userBanned'],
  [
    /\bjwt\b|\bjw[se]\b|jwserror|jwsinvalid|jwtsign|jwtinvalid|jwtclaim|malformedjwt|invalidjwt|invalid signature|signature_error|invalid token|token is (?:malformed|unverifiable)|no suitable key|wrong or unsupported encoding algorithm|unsupported token|es256 algorithm must be/i,
    'tokenRejected',
  ],
]

/** Codes of GoTrue; any other code is about the operation. */
const AUTH_CODES: Readonly<Record<string, AccessRefusal>> = {
  bad_jwt: 'tokenRejected',
  session_not_found: 'sessionEnded',
  session_expired: 'sessionEnded',
  user_not_found: 'sessionEnded',
  user_banned: 'userBanned',
}

const firstOf = (rules: readonly Rule[], text: string): AccessRefusal | undefined =>
  rules.find(([pattern]) => pattern.test(text))?.[1]

const fieldsIn = (text: string): Fields | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Fields) : undefined
  } catch {
    return undefined
  }
}

const textIn = (fields: Fields | undefined, ...names: readonly string[]): string =>
  names
    .map(name => fields?.[name])
    .filter(value => typeof value === 'string')
    .join(' ')

/** A plain page or text says what it is about only in its own words, which are not those of a backend. */
const isPage = (text: string): boolean => /^\s*(<|$)/.test(text)

/** Kong (since 3) and Envoy refuse a key with one word; their other plugins add a challenge. */
const isPlainGateway = ({ headers, text }: RefusedResponse, fields: Fields | undefined): boolean => {
  if (fields) return fields['message'] === 'Unauthorized' && 'request_id' in fields
  return text.trim() === 'Unauthorized' && /^envoy$/i.test(headers?.get('server') ?? '')
}

function fromChallenge(challenge: string, words: string): AccessRefusal | undefined {
  if (/^key\b/i.test(challenge)) return firstOf(KEY_TEXTS, words) ?? 'keyRejected'
  if (!/^bearer\b.*invalid_token/i.test(challenge)) return undefined
  return EXPIRED.test(challenge) ? 'tokenExpired' : 'tokenRejected'
}

/** The message and hint, and nothing else: an app's own answers are seldom so bare. */
const isBareMessage = (fields: Fields | undefined): boolean =>
  fields !== undefined && Object.keys(fields).every(name => name === 'message' || name === 'hint')

function functionRefusal(text: string, fields: Fields | undefined, words: string): AccessRefusal {
  if (isBareMessage(fields)) {
    const ofKey = firstOf(KEY_TEXTS, words)
    // Functions check the keys of other services, too; a gateway also hints at what to check, or says only this.
    if (ofKey && (fields?.['hint'] !== undefined || /^(Invalid|Unregistered|No) API key/.test(words)))
      return ofKey
  }
  const isRelay = fields?.['code'] === 401 || typeof fields?.['msg'] === 'string'
  const ofToken = isRelay || /\bjwt\b/i.test(text) ? firstOf(TOKEN_TEXTS, words || text) : undefined
  if (ofToken) return ofToken
  return isRelay && /invalid token or protected header/i.test(words) ? 'tokenRejected' : 'byApp'
}

function fromBody(response: RefusedResponse, fields: Fields | undefined): AccessRefusal | undefined {
  const { family, text } = response
  const words = fields ? textIn(fields, 'message', 'msg', 'hint', 'error_description', 'reason') : text
  const code = textIn(fields, 'error_code') || textIn(fields, 'code')
  const challenge = response.headers?.get('www-authenticate') ?? ''
  const ofGateway = firstOf(
    GATEWAY_CODES,
    response.headers?.get('sb-error-code') ?? response.headers?.get('x-sb-error-code') ?? code,
  )
  if (ofGateway) return ofGateway === 'tokenRejected' && EXPIRED.test(words) ? 'tokenExpired' : ofGateway
  if (/^basic\b/i.test(challenge)) return 'unknown'
  if (family === 'functions') return functionRefusal(text, fields, words)
  // An error of the database, which the app may have raised itself.
  if (family === 'rest' && code !== '' && !code.startsWith('PGRST30')) return 'byApp'
  if (family === 'auth' && code !== '') return authRefusal(code, words, response.status)
  const error = textIn(fields, 'error')
  const match = firstOf(KEY_TEXTS, words || error) ?? firstOf(TOKEN_TEXTS, `${words} ${error} ${code}`)
  if (match) return match
  if (code.startsWith('PGRST30')) return 'tokenRejected'
  const challenged = fromChallenge(challenge, words)
  if (challenged) return challenged
  if (isPlainGateway(response, fields)) return 'keyRejected'
  // Realtime's HTTP API refuses every token with this word.
  if (family === 'realtime' && fields?.['message'] === 'Unauthorized') return 'tokenRejected'
  if (family === 'storage' && fields && ('statusCode' in fields || code !== '')) return 'byApp'
  return isPage(text) && text.trim() === '' ? undefined : 'unknown'
}

function authRefusal(code: string, words: string, status: number): AccessRefusal {
  if (code === 'no_authorization' && status === 401) return 'tokenMissing'
  const authCode = Object.hasOwn(AUTH_CODES, code) ? AUTH_CODES[code] : undefined
  return authCode === 'tokenRejected' && EXPIRED.test(words) ? 'tokenExpired' : (authCode ?? 'byApp')
}

/** Storage sends most errors with status 400 and the actual status in the body. */
const isRefused = ({ family, status }: RefusedResponse, fields: Fields | undefined): boolean => {
  if (status === 401 || status === 403) return true
  if (status !== 400) return false
  if (family === 'auth') return fields?.['error_code'] === 'bad_jwt' || fields?.['code'] === 'bad_jwt'
  const inner = Number(fields?.['statusCode'])
  return (
    family === 'storage' &&
    (inner === 401 || inner === 403 || textIn(fields, 'code', 'error').includes('InvalidJWT'))
  )
}

const SIGNED_URL = /^[^?]*\/storage\/v1\/object\/(?:upload\/)?sign\/[^?]*\?(?:[^&]*&)*token=/
const OF_TOKEN: ReadonlySet<AccessRefusal> = new Set(['tokenExpired', 'tokenRejected'])

/**
 * Returns the reason of a refusal; undefined if the response is none, or says nothing. A response whose words are
 * not those of a backend is `unknown`.
 */
export function classifyRefusal(response: RefusedResponse): AccessRefusal | undefined {
  const fields = fieldsIn(response.text)
  if (!isRefused(response, fields)) return undefined
  const { family, bearer, path = '' } = response
  const refusal =
    isPage(response.text) && response.text.trim() !== '' ? 'unknown' : fromBody(response, fields)
  if (refusal === undefined || !OF_TOKEN.has(refusal)) return refusal
  // The token of the URL, which no new session token replaces.
  if (SIGNED_URL.test(path)) return 'unknown'
  if (bearer !== 'key') return refusal
  return family === 'auth' || family === 'functions' ? 'tokenMissing' : 'keyRejected'
}
