// Errors of the auth service, and their bodies in both published API versions.
import { textOf } from '../shared/fields.ts'
import { asUnavailable, UnavailableError } from '../shared/unavailable.ts'

/**
 * An error that any code of a route may throw; becomes the response. Throwing inside a transaction rolls it
 * back.
 */
export class AuthError extends Error {
  override name = 'AuthError'
  readonly status: number
  readonly code: string
  /** Additional body fields. */
  readonly extra: Readonly<Record<string, unknown>>
  /** Additional response headers. */
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    code: string,
    message: string,
    extra: Record<string, unknown> = {},
    headers: Record<string, string> = {},
  ) {
    super(message)
    this.status = status
    this.code = code
    this.extra = extra
    this.headers = headers
  }
}

/** An error of the token endpoint in OAuth format: `{ error, error_description }`, always status 400. */
export class OAuthError extends Error {
  override name = 'OAuthError'
  readonly error: string

  constructor(error: string, description: string) {
    super(description)
    this.error = error
  }
}

/**
 * Runs a write to the users. If a trigger, constraint or foreign key of the project refuses it, the error says what
 * failed, like that of the official server.
 */
export async function refusable<T>(doing: string, write: Promise<T>): Promise<T> {
  try {
    return await write
  } catch (thrown) {
    const error = asUnavailable(thrown)
    if (error instanceof UnavailableError || !/^(?:2[1-8]|4[24]|P0)/.test(textOf(error, 'code') ?? ''))
      throw thrown
    throw new AuthError(500, 'unexpected_failure', `Database error ${doing}`)
  }
}

const VERSION_HEADER = 'x-supabase-api-version'
const VERSION_2024 = '2024-01-01'

/** The response for any error thrown by an auth route. */
export function errorResponse(thrown: unknown, request: Request): Response {
  const error = asUnavailable(thrown)
  if (error instanceof OAuthError) {
    return Response.json({ error: error.error, error_description: error.message }, { status: 400 })
  }
  if (error instanceof UnavailableError) throw error
  const knownFailure =
    error instanceof AuthError
      ? error
      : new AuthError(500, 'unexpected_failure', 'The auth server failed to handle this request')
  const { status, code, message, extra } = knownFailure
  const headers = { ...knownFailure.headers, 'x-sb-error-code': code }
  if (!speaks2024(request))
    return Response.json({ code: status, error_code: code, msg: message, ...extra }, { status, headers })
  return Response.json(
    { code, message, ...extra },
    { status, headers: { ...headers, [VERSION_HEADER]: VERSION_2024 } },
  )
}

function speaks2024(request: Request): boolean {
  const version = request.headers.get(VERSION_HEADER) ?? ''
  return /^\d{4}-\d\d-\d\d$/.test(version) && version >= VERSION_2024 && !Number.isNaN(Date.parse(version))
}
