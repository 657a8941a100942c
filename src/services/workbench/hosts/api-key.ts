// Parses an API key: its kind, project and expiry.
import { isSecretKind, jwtClaims, keyKind, type KeyKind, settingValue } from '../../runtime/index.ts'

export interface ApiKey {
  /** Without surrounding text. */
  readonly key: string
  readonly kind: KeyKind
  /** The role of anonymous users, if the key contains it. */
  readonly role?: string
  /** The key's project, if the key contains it. */
  readonly project?: string
  /** Unix milliseconds, if the key contains it. */
  readonly expiresAt?: number
}

/** Parses a pasted key; its content is not verified. */
export function readKey(text: string): ApiKey {
  const key = bareKey(text)
  const { role, ref, exp } = jwtClaims(key) ?? {}
  return {
    key,
    kind: keyKind(key),
    ...(typeof role === 'string' && { role }),
    ...(typeof ref === 'string' && { project: ref }),
    ...(typeof exp === 'number' && { expiresAt: exp * 1000 }),
  }
}

/** A token may end in the character that separates name and value in a setting. */
function bareKey(typed: string): string {
  const text = typed.trim().replace(/^bearer\s+/i, '')
  return jwtClaims(text) ? text : settingValue(text).replace(/^bearer\s+/i, '')
}

/** False for keys that must never be in a browser, and for user tokens, which are not project keys. */
export const isPublicKey = (text: string): boolean => {
  const { kind } = readKey(text)
  return !isSecretKind(kind) && kind !== 'session'
}

/** True for keys that bypass every policy or give access to an account: they must never reach a browser. */
export const isSecretKey = (text: string): boolean => isSecretKind(readKey(text).kind)
