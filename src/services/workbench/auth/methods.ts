// The sign-in methods of a backend, the second factors of a user, and passkeys.
import type { SignInMethod } from '../../../machines/workbench/sign-in.ts'
import type { HostSettings, ChartroomClient, Failure } from '../../client/index.ts'

export const METHOD_NAMES: Readonly<Record<SignInMethod, string>> = {
  password: 'Password',
  link: 'Magic link',
  phone: 'Phone',
  sso: 'Single sign-on',
}

/** Defaults to passwords while the settings are unknown. */
export const methodsOf = (settings: HostSettings | undefined): readonly SignInMethod[] => {
  if (settings === undefined) return ['password']
  const { email, phone, sso } = settings
  return [
    ...(email ? (['password', 'link'] as const) : []),
    ...(phone ? (['phone'] as const) : []),
    ...(sso ? (['sso'] as const) : []),
  ]
}

type User = NonNullable<Awaited<ReturnType<ChartroomClient['supabase']['auth']['getUser']>>['data']['user']>
export type Factor = NonNullable<User['factors']>[number]

const TYPES: Readonly<Record<string, string>> = {
  totp: 'authenticator app',
  phone: 'text message',
  webauthn: 'security key',
}

export const factorType = ({ factor_type }: Pick<Factor, 'factor_type'>): string =>
  TYPES[factor_type] ?? factor_type

export const factorName = (factor: Pick<Factor, 'friendly_name' | 'factor_type' | 'id'>): string =>
  factor.friendly_name || `${factorType(factor)} ${factor.id.slice(0, 4)}`

/** Verified factors that an app code can confirm here. */
export const verifiedFactors = (factors: readonly Factor[] | undefined): readonly Factor[] =>
  (factors ?? []).filter(({ status, factor_type }) => status === 'verified' && factor_type === 'totp')

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
