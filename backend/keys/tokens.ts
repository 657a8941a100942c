// Identifies callers: turns API keys and access tokens into claims, and signs and verifies tokens.
import { compactVerify, decodeJwt, errors, SignJWT, type JWK, type JWTPayload } from 'jose'
import { createApiKeys } from './api-keys.ts'
import { checkClaims } from './claims.ts'
import { systemClock, type Clock } from '../shared/clock.ts'
import type { Secrets } from '../shared/data-directory.ts'
import { createSigningKeys, type SigningKeys } from './signing-keys.ts'

/** The caller's claims that row-level security sees. */
export interface Claims extends JWTPayload {
  readonly role: string
}

/** Why a caller is refused; selects the error body. */
export type Refusal = 'noKey' | 'wrongKey' | 'secretInBrowser' | 'tokenExpired' | 'tokenInvalid'

export type Identified = { readonly claims: Claims } | { readonly refusal: Refusal }

/** Other evidence of the caller in a request. */
export interface RequestCaller {
  readonly bearer?: string | undefined
  readonly isBrowser: boolean
}

export interface Tokens {
  /**
   * Checks the `apikey` of a request, and that a browser does not send a secret key; `undefined` if it is
   * allowed.
   */
  refuseKey(apikey: string | undefined, caller: RequestCaller): Refusal | undefined
  /** Claims of a bearer token (an access token or an API key), or else of the API key. */
  identify(apikey: string | undefined, bearer: string | undefined): Promise<Identified>
  /** The claims of a caller with an API key and without a token. */
  keyHolder(apikey: string | undefined, bearer: string | undefined): Claims | undefined
  sign(claims: JWTPayload): Promise<string>
  /**
   * The payload of a token signed by one of our keys, as JSON; throws jose's errors otherwise. What the claims
   * must be is for each service to check.
   */
  open(token: string): Promise<string>
  /** The payload of a token signed by one of our keys that is valid now; throws jose's errors otherwise. */
  verify(token: string): Promise<JWTPayload>
  /** The public keys, as published. */
  readonly jwks: readonly JWK[]
  /** Whether auth and REST require an API key: hosted backends do, the local stack of the Supabase CLI does not. */
  readonly needsKey: boolean
}

export interface TokenOptions {
  /** The clock for expiries; defaults to the machine's. */
  readonly clock?: Clock
  /** Overrides the signing key of the secrets. */
  readonly signingKeys?: readonly JWK[]
  /** Defaults to true. */
  readonly needsKey?: boolean
}

const ALGORITHMS = ['ES256', 'RS256', 'HS256']

export async function createTokens(secrets: Secrets, options: TokenOptions = {}): Promise<Tokens> {
  const { clock = systemClock, signingKeys = [secrets.signingKey], needsKey = true } = options
  const keys = await createSigningKeys(signingKeys, secrets.jwtSecret)
  const apiKeys = createApiKeys(secrets, keys, clock)
  const open = opener(keys)
  const verify = async (token: string) =>
    checkClaims(JSON.parse(await open(token)), Math.floor(clock.now() / 1000))
  const keyHolder = (apikey: string | undefined, bearer: string | undefined) => {
    const role =
      apiKeys.roleOfOpaque(bearer) ??
      (bearer?.startsWith('sb_') === false ? undefined : apiKeys.roleOf(apikey))
    return role === undefined ? undefined : { role }
  }
  return {
    refuseKey(apikey, { bearer, isBrowser }) {
      const isSecret = (key: string | undefined) =>
        apiKeys.roleOfOpaque(key) === 'service_role' || isServerToken(key)
      if (isBrowser && (isSecret(apikey) || isSecret(bearer))) return 'secretInBrowser'
      if (!apikey) return 'noKey'
      return apiKeys.roleOf(apikey) === undefined ? 'wrongKey' : undefined
    },
    async identify(apikey, bearer) {
      const holder = keyHolder(apikey, bearer)
      if (holder) return { claims: holder }
      if (!bearer) return { refusal: 'noKey' }
      try {
        const payload = await verify(bearer)
        return { claims: { ...payload, role: typeof payload.role === 'string' ? payload.role : 'anon' } }
      } catch (error) {
        return { refusal: error instanceof errors.JWTExpired ? 'tokenExpired' : 'tokenInvalid' }
      }
    },
    sign(claims) {
      const { algorithm, kid, key } = keys.signer
      const header = { alg: algorithm, typ: 'JWT', ...(kid === undefined ? {} : { kid }) }
      return new SignJWT(claims).setProtectedHeader(header).sign(key)
    },
    keyHolder,
    open,
    verify,
    jwks: keys.published,
    needsKey,
  }
}

/** As many verified tokens as PostgREST remembers. */
const REMEMBERED = 1000

/** Verifies each signature once: on a PostgreSQL server, that took a sixth of a small request's time. */
function opener(keys: SigningKeys): Tokens['open'] {
  const opened = new Map<string, string>()
  return async token => {
    const cached = opened.get(token)
    if (cached !== undefined) return cached
    const { payload, protectedHeader } = await compactVerify(
      token,
      header => {
        const key = keys.find(header)
        if (!key) throw new errors.JWKSNoMatchingKey()
        return key.key
      },
      { algorithms: ALGORITHMS },
    )
    if (protectedHeader.b64 === false) throw new errors.JWTInvalid('JWTs MUST NOT use unencoded payload')
    const json = jsonOf(payload)
    const [oldest] = opened.keys()
    if (opened.size >= REMEMBERED && oldest !== undefined) opened.delete(oldest)
    opened.set(token, json)
    return json
  }
}

/** @throws JWTInvalid if the payload is not JSON */
function jsonOf(payload: Uint8Array): string {
  const text = new TextDecoder().decode(payload)
  try {
    JSON.parse(text)
    return text
  } catch {
    throw new errors.JWTInvalid('JWT Claims Set must be a top-level JSON object')
  }
}

/** Roles that bypass all policies and privileges. */
const SERVER_ROLES = ['service_role', 'supabase_admin']

/** Does not verify the signature, since a foreign token is refused anyway. */
function isServerToken(token: string | undefined): boolean {
  try {
    return token !== undefined && SERVER_ROLES.includes(String(decodeJwt(token)['role']))
  } catch {
    return false
  }
}

/** The same tokens for a caller in a browser, where server keys are not accepted. */
export function forBrowser(tokens: Tokens): Tokens {
  return {
    ...tokens,
    async identify(apikey, bearer) {
      const refusal = tokens.refuseKey(apikey, { bearer, isBrowser: true })
      return refusal === 'secretInBrowser' ? { refusal } : tokens.identify(apikey, bearer)
    },
  }
}

export function callerOf(headers: Headers): RequestCaller {
  return { bearer: credentialOf(headers), isBrowser: isFromBrowser(name => headers.get(name)) }
}

/** What an `Authorization` header says, without the scheme `Bearer`; empty if it says nothing else. */
export function credentialOf(headers: Headers): string | undefined {
  const authorization = headers.get('authorization') ?? undefined
  return authorization?.replace(/^bearer(?:\s+|$)/i, '').trim()
}

/** Undici also sends `Sec-Fetch-Mode`, so that header proves nothing. */
export function isFromBrowser(header: (name: string) => string | null | undefined): boolean {
  const isNamed = /^\s*mozilla\/5\.0/i.test(header('user-agent') ?? '')
  return isNamed || ['origin', 'sec-fetch-site', 'sec-fetch-dest'].some(name => header(name))
}

/** The token of an `Authorization: Bearer …` header. */
export function bearerOf(headers: Headers): string | undefined {
  return headers.get('authorization')?.match(/^Bearer\s+(\S+)$/i)?.[1]
}
