// The caller of a REST request by its token: what PostgREST requires of a token, and its refusals.
import { decodeProtectedHeader, errors } from 'jose'
import { restError } from '../shared/errors.ts'
import { parseWritten, WrittenNumber } from '../shared/exact-json.ts'
import { fieldOf } from '../shared/fields.ts'
import { credentialOf, isAudience, type Claims, type Tokens } from '../keys/index.ts'

/** PostgREST allows clocks to differ by so many seconds. */
const SKEW = 30n

/** The token of an `Authorization` header, whatever it is; `undefined` for other schemes. */
export function sentToken(headers: Headers): string | undefined {
  return /^bearer(?=\s|$)/i.test(headers.get('authorization') ?? '') ? credentialOf(headers) : undefined
}

/** The claims of a token that is valid now (in milliseconds), or the response that refuses it. */
export async function callerOfToken(tokens: Tokens, token: string, now: number): Promise<Claims | Response> {
  const json = await tokens.open(token).catch((error: unknown) => refuseToken(token, error))
  if (json instanceof Response) return json
  const claims: unknown = JSON.parse(json)
  if (typeof claims !== 'object' || claims === null || Array.isArray(claims))
    return refuseClaims('Parsing claims failed')
  const problem = problemOf(parseWritten(json), BigInt(Math.floor(now / 1000)))
  if (problem !== undefined) return refuseClaims(problem)
  const role = fieldOf(claims, 'role')
  if (role !== undefined && typeof role !== 'string') return refuseRole(role)
  return { ...claims, role: role ?? 'anon' }
}

/** The first claim that is wrong, in PostgREST's order and words; `null` counts as absent. */
function problemOf(claims: unknown, now: bigint): string | undefined {
  const times = [
    ['exp', (time: bigint) => now - SKEW > time, 'JWT expired'],
    ['nbf', (time: bigint) => now + SKEW < time, 'JWT not yet valid'],
    ['iat', (time: bigint) => now + SKEW < time, 'JWT issued at future'],
  ] as const
  for (const [name, isWrong, message] of times) {
    const value = fieldOf(claims, name) ?? undefined
    if (value === undefined) continue
    if (!(value instanceof WrittenNumber)) return `The JWT '${name}' claim must be a number`
    if (isWrong(wholeOf(value))) return message
  }
  return isAudience(fieldOf(claims, 'aud'))
    ? undefined
    : "The JWT 'aud' claim must be a string or an array of strings"
}

const LIMIT = 2n ** 63n
/** The digits of the largest 64-bit integer. */
const DIGITS = 19

/** A 64-bit integer; as in PostgREST, 0 for numbers that are none, such as 1.5 or 1e400. */
function wholeOf({ source }: WrittenNumber): bigint {
  const [, sign = '', integer = '', fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(source) ?? []
  const digits = (integer + fraction).replace(/^0+/, '')
  let end = digits.length
  while (digits[end - 1] === '0') end -= 1
  const significant = digits.slice(0, end)
  const zeros = Number(power) - fraction.length + digits.length - significant.length
  if (zeros < 0 || significant.length + zeros > DIGITS) return 0n
  const value = BigInt(sign + (significant || '0')) * 10n ** BigInt(zeros)
  return value < LIMIT && value >= -LIMIT ? value : 0n
}

function refuseToken(token: string, error: unknown): Response {
  if (token === '') return refuseDecoding('Empty JWT is sent in Authorization header')
  const parts = token.split('.').length
  if (parts !== 3) return refuseDecoding(`Expected 3 parts in JWT; got ${parts}`)
  const algorithm = algorithmOf(token)
  if (algorithm === undefined) return refuseDecoding('JWT cryptographic operation failed')
  if (algorithm === 'none') {
    const details = "JWT is unsecured but expected 'alg' was not 'none'"
    return refuseDecoding('Wrong or unsupported encoding algorithm', details)
  }
  if (error instanceof errors.JWTInvalid) return refuseClaims('Parsing claims failed')
  const isKnown = error instanceof errors.JWSSignatureVerificationFailed
  return refuseDecoding(
    'No suitable key or wrong key type',
    isKnown ? 'None of the keys was able to decode the JWT' : 'No suitable key was found to decode the JWT',
  )
}

function algorithmOf(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).alg
  } catch {
    return undefined
  }
}

function refuseDecoding(message: string, details?: string): Response {
  return restError(401, 'PGRST301', message, details, challengeOf(message))
}

function refuseClaims(message: string): Response {
  return restError(401, 'PGRST303', message, undefined, challengeOf(message))
}

/** What PostgreSQL answers to a role of this name. */
function refuseRole(role: unknown): Response {
  return restError(401, '22023', `role "${JSON.stringify(role)}" does not exist`)
}

function challengeOf(message: string): Record<string, string> {
  return { 'www-authenticate': `Bearer error="invalid_token", error_description="${message}"` }
}
