// The claims of a verified token: their types, and whether they hold at a moment.
import { errors, type JWTPayload } from 'jose'

/**
 * The claims as `jose` checks them for the storage and the functions service.
 * @param now in seconds
 * @throws JWTExpired, JWTInvalid or JWTClaimValidationFailed
 */
export function checkClaims(payload: unknown, now: number): JWTPayload {
  if (!isObject(payload)) throw new errors.JWTInvalid('JWT Claims Set must be a top-level JSON object')
  const { iat, nbf, exp } = payload
  for (const [name, value] of Object.entries({ iat, nbf, exp }))
    if (value !== undefined && typeof value !== 'number')
      throw new errors.JWTClaimValidationFailed(`"${name}" claim must be a number`, payload, name, 'invalid')
  if (typeof nbf === 'number' && nbf > now)
    throw new errors.JWTClaimValidationFailed(OUT_OF_TIME('nbf'), payload, 'nbf', 'check_failed')
  if (typeof exp === 'number' && exp <= now)
    throw new errors.JWTExpired(OUT_OF_TIME('exp'), payload, 'exp', 'check_failed')
  return payload
}

const OUT_OF_TIME = (name: string) => `"${name}" claim timestamp check failed`

function isObject(value: unknown): value is JWTPayload {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether an audience is absent, a string or an array of strings. */
export function isAudience(value: unknown): boolean {
  const isText = (each: unknown) => typeof each === 'string'
  return (
    value === undefined || value === null || isText(value) || (Array.isArray(value) && value.every(isText))
  )
}
