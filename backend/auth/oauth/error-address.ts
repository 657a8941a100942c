// Redirect URLs that report why an OAuth sign-in failed.
import { UnavailableError } from '../../shared/unavailable.ts'
import { AuthError, OAuthError } from '../errors.ts'

const BY_STATUS: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  401: 'unauthorized_client',
  403: 'access_denied',
  500: 'server_error',
  503: 'temporarily_unavailable',
}

const DENIALS = ['signup_disabled', 'user_banned', 'provider_email_needs_verification']

/** @param inHash whether to repeat the error from the query in the hash. */
export function errorAddress(target: string, error: unknown, inHash: boolean): string {
  const fields = describe(error)
  const address = new URL(target)
  for (const [name, value] of Object.entries(fields)) address.searchParams.set(name, value)
  if (inHash) address.hash = new URLSearchParams({ ...fields, sb: '' }).toString()
  return address.href
}

function describe(error: unknown): Record<string, string> {
  if (error instanceof OAuthError) return { error: error.error, error_description: error.message }
  if (error instanceof UnavailableError) throw error
  const { status, code, message } = error instanceof AuthError ? error : UNEXPECTED
  const name = DENIALS.includes(code) ? 'access_denied' : (BY_STATUS[status] ?? 'server_error')
  return { error: name, error_code: code, error_description: message }
}

const UNEXPECTED = new AuthError(500, 'unexpected_failure', 'The sign-in could not be completed')
