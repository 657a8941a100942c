// Converts failures of the machines to supabase-js auth errors.
import { AuthApiError, AuthRetryableFetchError, AuthSessionMissingError } from '@supabase/auth-js'
import type { AuthError } from '@supabase/auth-js'
import type { Failure } from '../../../machines/index.ts'

/** Kinds that supabase-js reports as retryable. */
const PASSING: readonly Failure['kind'][] = ['network', 'timeout', 'aborted', 'server', 'disposed']

export function authError({ kind, code, status, message }: Failure): AuthError {
  if (code === 'signed_out' || code === 'session_not_found') return new AuthSessionMissingError()
  if (PASSING.includes(kind)) return new AuthRetryableFetchError(message, status ?? 0)
  return new AuthApiError(message, status ?? 400, code)
}
