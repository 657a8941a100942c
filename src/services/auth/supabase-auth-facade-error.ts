// Failures of the machines as the official auth client would have told them.
import { AuthApiError, AuthRetryableFetchError, AuthSessionMissingError } from '@supabase/auth-js'
import type { AuthError } from '@supabase/auth-js'
import type { Failure } from '../../machines/failure.ts'

/** Kinds after which the official client says that it can be tried again. */
const PASSING: readonly Failure['kind'][] = ['network', 'timeout', 'aborted', 'server', 'disposed']

export function authError({ kind, code, status, message }: Failure): AuthError {
  if (code === 'signed_out' || code === 'session_not_found') return new AuthSessionMissingError()
  if (PASSING.includes(kind)) return new AuthRetryableFetchError(message, status ?? 0)
  return new AuthApiError(message, status ?? 400, code)
}
