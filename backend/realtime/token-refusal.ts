// Why a token is refused, with the original's messages: one for a join, one for an open channel.
import { decodeJwt, decodeProtectedHeader, type JWTPayload } from 'jose'
import type { Claims, Refusal, Tokens } from '../keys/index.ts'

/** The caller and its token. */
export interface Identity {
  readonly claims: Claims
  readonly token: string
}

export interface TokenRefusal {
  readonly code: 'InvalidJWTToken' | 'MalformedJWT' | 'JwtSignatureError' | 'JwtSignerError'
  readonly message: string
  /** The message with which an open channel is closed. */
  readonly farewell: string
}

const ASYMMETRIC = /^(RS|ES)(256|384|512)$|^Ed(25519|448)$|^EdDSA$/

/** Turns a token (or an API key) into claims; `now` is in milliseconds. */
export async function identify(
  tokens: Tokens,
  apikey: string,
  token: string,
  now: number,
): Promise<Identity | TokenRefusal> {
  // New API keys are not tokens: without another token, the caller is identified by its key.
  if (token.startsWith('sb_')) token = apikey
  const identified = await tokens.identify(apikey, token)
  const parts = token.startsWith('sb_') ? undefined : readParts(token)
  if ('refusal' in identified) return refuse(identified.refusal, parts, tokens, now)
  if (parts && !('role' in parts.payload && 'exp' in parts.payload))
    return refusalOf('InvalidJWTToken', 'Fields `role` and `exp` are required in JWT')
  return { claims: identified.claims, token }
}

interface Parts {
  readonly payload: JWTPayload
  readonly algorithm: string
  readonly kid: string | undefined
}

function readParts(token: string): Parts | undefined {
  try {
    const { alg = '', kid } = decodeProtectedHeader(token)
    return { payload: decodeJwt(token), algorithm: alg, kid }
  } catch {
    return undefined
  }
}

function refuse(refusal: Refusal, parts: Parts | undefined, tokens: Tokens, now: number): TokenRefusal {
  if (refusal === 'secretInBrowser')
    return refusalOf('InvalidJWTToken', 'Forbidden use of secret API key in browser')
  if (!parts) return refusalOf('MalformedJWT', 'The token provided is not a valid JWT')
  if (refusal === 'tokenExpired') {
    const ago = Math.floor(now / 1_000) - (parts.payload.exp ?? 0)
    return refusalOf('InvalidJWTToken', expiredSince(ago))
  }
  if (!isUnknownKey(parts, tokens))
    return {
      ...refusalOf('JwtSignatureError', 'Failed to validate JWT signature'),
      farewell: ':signature_error',
    }
  const forKey = parts.kid === undefined ? '' : ` for key ID (kid) ${JSON.stringify(parts.kid)}`
  const message = `Failed to generate JWT signer${forKey}, check your JWT secret or JWKS configuration`
  const unsigned = refusalOf('JwtSignerError', message)
  return parts.kid === undefined ? { ...unsigned, farewell: ':error_generating_signer' } : unsigned
}

function isUnknownKey({ algorithm, kid }: Parts, { jwks }: Tokens): boolean {
  if (/^HS(256|384|512)$/.test(algorithm)) return false
  return !ASYMMETRIC.test(algorithm) || !jwks.some(key => key.kid === kid)
}

/** The message for an expired token. */
export function expiredSince(seconds: number): string {
  return `Token has expired ${Math.max(0, seconds)} seconds ago`
}

function refusalOf(code: TokenRefusal['code'], message: string): TokenRefusal {
  return { code, message, farewell: message }
}
