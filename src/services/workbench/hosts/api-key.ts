// Parses an API key: its kind, project and expiry.
import { settingValue } from './address.ts'

export type KeyKind =
  /** `sb_publishable_…` */
  | 'publishable'
  /** A token with the role `anon`, the predecessor of publishable keys. */
  | 'anon'
  /** Bypasses every policy: `sb_secret_…`, or a token with the role `service_role`. */
  | 'secret'
  /** Gives access to the hosting account: `sbp_…`. */
  | 'management'
  /** A user's access token. */
  | 'session'
  | 'unknown'

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

const PREFIXES: readonly (readonly [string, KeyKind])[] = [
  ['sb_publishable_', 'publishable'],
  ['sb_secret_', 'secret'],
  ['sbp_', 'management'],
]
const SECRET_ROLES = ['service_role', 'supabase_admin', 'postgres']

/** Parses a pasted key; its content is not verified. */
export function readKey(typed: string): ApiKey {
  const key = bareKey(typed)
  const prefixed = PREFIXES.find(([prefix]) => key.startsWith(prefix))
  if (prefixed) return { key, kind: prefixed[1] }
  const claims = claimsOf(key)
  if (!claims) return { key, kind: 'unknown' }
  const { role, ref, exp } = claims
  return {
    key,
    kind: kindOf(role),
    ...(typeof role === 'string' && { role }),
    ...(typeof ref === 'string' && { project: ref }),
    ...(typeof exp === 'number' && { expiresAt: exp * 1000 }),
  }
}

/** A token may end in the character that separates name and value in a setting. */
function bareKey(typed: string): string {
  const text = typed.trim().replace(/^bearer\s+/i, '')
  return claimsOf(text) ? text : settingValue(text).replace(/^bearer\s+/i, '')
}

/** False for keys that must never be in a browser, and for user tokens, which are not project keys. */
export const isPublicKey = (typed: string): boolean =>
  !['secret', 'management', 'session'].includes(readKey(typed).kind)

/** True for keys that bypass every policy or give access to an account: they must never reach a browser. */
export const isSecretKey = (typed: string): boolean => ['secret', 'management'].includes(readKey(typed).kind)

function kindOf(role: unknown): KeyKind {
  if (role === 'anon') return 'anon'
  if (typeof role !== 'string') return 'unknown'
  return SECRET_ROLES.includes(role) ? 'secret' : 'session'
}

function claimsOf(key: string): Readonly<Record<string, unknown>> | undefined {
  const [, payload, signature] = key.split('.')
  if (payload === undefined || signature === undefined) return undefined
  try {
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
    return typeof claims === 'object' && claims !== null ? { ...claims } : undefined
  } catch {
    return undefined
  }
}
