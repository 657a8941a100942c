// Passkey support of this browser, and what its passkey errors mean.
import type { Failure } from '../../client/index.ts'

/** False on pages without a secure connection. */
export const hasPasskeys = (): boolean => 'PublicKeyCredential' in window

const WORDS: Readonly<Record<string, string>> = {
  NotAllowedError:
    'No passkey was used: the browser prompt was closed or timed out, or this device has no matching passkey.',
  SecurityError:
    'The passkeys of this backend belong to another site: they only work at its own address, not on this page.',
  InvalidStateError: 'This device already has a passkey for this account.',
  NotSupportedError: 'This device does not support the kind of passkey that the backend requires.',
  ConstraintError: 'This device does not support the kind of passkey that the backend requires.',
  AbortError: 'The browser’s passkey prompt was aborted. Try again.',
}

/** Converts a browser error, not one from the backend; undefined for any other error. */
export function passkeyFailure(error: unknown): Failure | undefined {
  if (!(error instanceof Error) || !('__isWebAuthnError' in error)) return undefined
  const message = WORDS[error.name] ?? 'The passkey could not be used. Try again, or sign in another way.'
  return { kind: 'auth', code: 'passkey_not_used', message }
}
