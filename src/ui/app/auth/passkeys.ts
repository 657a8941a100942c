// Passkeys in this browser: whether it has them, and what it means when one could not be used.
import type { Failure } from '../../../index.ts'

/** Pages that came over an unsafe line have none. */
export const hasPasskeys = (): boolean => 'PublicKeyCredential' in window

const WORDS: Readonly<Record<string, string>> = {
  NotAllowedError:
    'No passkey was used: the browser’s question was closed or took too long, or this device has none for it.',
  SecurityError:
    'The passkeys of this backend belong to another site: they hold for its own address, not for the one of this page.',
  InvalidStateError: 'This device has a passkey for this account already.',
  NotSupportedError: 'This device has no passkeys of the kind that the backend asks for.',
  ConstraintError: 'This device has no passkeys of the kind that the backend asks for.',
  AbortError: 'The browser’s question about the passkey was broken off. Try again.',
}

/** What the browser said, and not the backend; undefined for any other error. */
export function passkeyFailure(error: unknown): Failure | undefined {
  if (!(error instanceof Error) || !('__isWebAuthnError' in error)) return undefined
  const message = WORDS[error.name] ?? 'The passkey could not be used. Try again, or sign in another way.'
  return { kind: 'auth', code: 'passkey_not_used', message }
}
