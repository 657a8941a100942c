// The claims that a custom_access_token hook may return: the official server's minimum for a token.
import { fieldOf } from '../../shared/fields.ts'

type Kind = 'string' | 'integer' | 'object' | 'array'

const KINDS: Readonly<Record<string, readonly Kind[]>> = {
  aud: ['string', 'array'],
  exp: ['integer'],
  jti: ['string'],
  iat: ['integer'],
  iss: ['string'],
  nbf: ['integer'],
  sub: ['string'],
  email: ['string'],
  phone: ['string'],
  app_metadata: ['object'],
  user_metadata: ['object'],
  role: ['string'],
  aal: ['string'],
  amr: ['array'],
  session_id: ['string'],
}

const REQUIRED = ['aud', 'exp', 'iat', 'sub', 'email', 'phone', 'role', 'aal', 'session_id', 'is_anonymous']

/** Why claims are no valid token, in the official server's words; `undefined` if they are valid. */
export function wrongClaims(claims: unknown): string | undefined {
  const problems =
    kindOf(claims) === 'object'
      ? [...missing(claims), ...mistyped(claims)]
      : [`(root): Invalid type. Expected: object, given: ${kindOf(claims)}`]
  if (problems.length === 0) return undefined
  return `output claims do not conform to the expected schema: \n${problems.map(text => `- ${text}\n`).join('')}`
}

function missing(claims: unknown): string[] {
  return REQUIRED.filter(name => fieldOf(claims, name) === undefined).map(
    name => `(root): ${name} is required`,
  )
}

function mistyped(claims: unknown): string[] {
  return Object.entries(KINDS).flatMap(([name, kinds]) => {
    const value = fieldOf(claims, name)
    const kind = kindOf(value)
    if (value === undefined || kinds.some(expected => expected === kind)) return []
    return [`${name}: Invalid type. Expected: ${kinds.join('/')}, given: ${kind}`]
  })
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value
}
