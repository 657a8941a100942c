// Answers of the functions service itself, with the statuses and codes of the hosted one, and the check of tokens.
import { decodeProtectedHeader } from 'jose'
import { json } from '../../shared/errors.ts'
import type { Tokens } from '../../keys/index.ts'

const FAILURES = {
  BOOT_ERROR: [503, 'Worker failed to boot (please check logs)'],
  WORKER_ERROR: [500, 'Function exited due to an error (please check logs)'],
  WORKER_LIMIT: [546, 'Worker failed to respond due to a resource limit (please check logs)'],
  IDLE_TIMEOUT: [504, 'The function did not respond within the request timeout limit'],
  NOT_FOUND: [404, 'Requested function was not found'],
} as const

export type FailureCode = keyof typeof FAILURES

/** Why a function could not respond. */
export class FunctionFailure extends Error {
  override name = 'FunctionFailure'
  readonly code: FailureCode

  constructor(code: FailureCode) {
    super(FAILURES[code][1])
    this.code = code
  }
}

export function failureResponse(code: FailureCode, message: string = FAILURES[code][1]): Response {
  return refusal(FAILURES[code][0], code, message)
}

/** Pages can read the answers of the service, which no function could allow. */
function refusal(status: number, code: string, message: string): Response {
  return json(status, { code, message }, { 'sb-error-code': code, 'access-control-allow-origin': '*' })
}

/**
 * Checks the token of a request to a function with `verify_jwt`; `undefined` if it is valid. API keys other than
 * signed tokens are refused.
 */
export async function refuseToken(tokens: Tokens, headers: Headers): Promise<Response | undefined> {
  const authorization = headers.get('authorization')
  if (authorization === null) return unauthorized('NO_AUTH_HEADER', 'Missing authorization header')
  const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]*)$/.exec(authorization)?.[1]
  const algorithm = token === undefined ? undefined : algorithmOf(token)
  if (token === undefined || algorithm === undefined) return unauthorized('INVALID_JWT_FORMAT', 'Invalid JWT')
  try {
    await tokens.verify(token)
    return undefined
  } catch {
    if (algorithm === 'HS256') return unauthorized('LEGACY_JWT', 'Invalid JWT')
    const isAsymmetric = algorithm === 'ES256' || algorithm === 'RS256'
    return unauthorized(isAsymmetric ? 'ASYMMETRIC_JWT' : 'UNSUPPORTED_TOKEN_ALGORITHM', 'Invalid JWT')
  }
}

function unauthorized(code: string, message: string): Response {
  return refusal(401, `UNAUTHORIZED_${code}`, message)
}

function algorithmOf(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).alg
  } catch {
    return undefined
  }
}
