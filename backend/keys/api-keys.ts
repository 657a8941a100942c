// API keys: the publishable and the secret key, and older keys that are signed tokens.
import { createHash, createHmac, timingSafeEqual, verify as verifySignature } from 'node:crypto'
import type { Clock } from '../shared/clock.ts'
import type { Secrets } from '../shared/data-directory.ts'
import { fieldOf } from '../shared/fields.ts'
import { checkClaims, isAudience } from './claims.ts'
import type { SigningKeys, VerifyKey } from './signing-keys.ts'

export type KeyRole = 'anon' | 'service_role'

export interface ApiKeys {
  /** The role of a key; `undefined` if it is not one of our keys. */
  roleOf(key: string | undefined): KeyRole | undefined
  /** Like `roleOf`, for `sb_…` keys only. */
  roleOfOpaque(key: string | undefined): KeyRole | undefined
}

export function createApiKeys(
  secrets: Pick<Secrets, 'publishableKey' | 'secretKey'>,
  keys: SigningKeys,
  clock: Clock,
): ApiKeys {
  const publishable = digest(secrets.publishableKey)
  const secret = digest(secrets.secretKey)
  const roleOfOpaque = (key: string | undefined): KeyRole | undefined => {
    if (!key) return undefined
    const keyDigest = digest(key)
    if (timingSafeEqual(keyDigest, secret)) return 'service_role'
    return timingSafeEqual(keyDigest, publishable) ? 'anon' : undefined
  }
  return {
    roleOfOpaque,
    roleOf: key => roleOfOpaque(key) ?? (key?.includes('.') ? roleOfToken(key, keys, clock) : undefined),
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** Keys are checked in synchronous code, so jose cannot be used here. */
function roleOfToken(token: string, keys: SigningKeys, clock: Clock): KeyRole | undefined {
  const [head = '', body = '', signature = '', ...rest] = token.split('.')
  if (rest.length > 0) return undefined
  const key = keys.find({ alg: fieldOf(decode(head), 'alg'), kid: fieldOf(decode(head), 'kid') })
  if (!key || !isSigned(`${head}.${body}`, Buffer.from(signature, 'base64url'), key)) return undefined
  const payload = decode(body)
  if (!isValid(payload, clock)) return undefined
  // A user's token is not a key, whatever role an admin gave the user.
  if (fieldOf(payload, 'sub') !== undefined) return undefined
  const role = fieldOf(payload, 'role')
  return role === 'anon' || role === 'service_role' ? role : undefined
}

function isValid(payload: unknown, clock: Clock): boolean {
  try {
    const { iat = 0, nbf = 0, exp = 0, aud } = checkClaims(payload, Math.floor(clock.now() / 1000))
    return [iat, nbf, exp].every(Number.isFinite) && isAudience(aud)
  } catch {
    return false
  }
}

function isSigned(text: string, signature: Buffer, { algorithm, key }: VerifyKey): boolean {
  if (algorithm === 'HS256') {
    const expected = createHmac('sha256', key).update(text).digest()
    return signature.length === expected.length && timingSafeEqual(signature, expected)
  }
  const options = algorithm === 'ES256' ? { key, dsaEncoding: 'ieee-p1363' as const } : key
  return verifySignature('sha256', Buffer.from(text), options, signature)
}

function decode(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}
